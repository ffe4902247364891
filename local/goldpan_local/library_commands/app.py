"""The group `goldpan library`."""

from goldpan_local.lazy_group import LazyCommand, group

_PACKAGE = "goldpan_local.library_commands"
COMMANDS = {
    "import": LazyCommand(f"{_PACKAGE}.import_command:import_path", "Import files into a project."),
    "search": LazyCommand(f"{_PACKAGE}.searching:search", "Search for papers, and print the best first."),
    "chunks": LazyCommand(f"{_PACKAGE}.searching:chunks", "Print the passages that answer a query best."),
    "list": LazyCommand(f"{_PACKAGE}.projects:list_projects", "List the projects: papers, size, and last change."),
    "remove": LazyCommand(f"{_PACKAGE}.projects:remove", "Remove a project, or a part of it."),
    "push": LazyCommand(f"{_PACKAGE}.push_command:push", "Put a project into a deployment on AWS."),
}
library_app = group("library", "Search your own papers and notes.", COMMANDS)
