"""`goldpan library`: imports the user's own papers and notes, and searches them."""

from goldpan_local.lazy_group import LazyCommand, group

COMMANDS = {
    "import": LazyCommand("library_commands.import_command:import_path", "Import files into a project."),
    "search": LazyCommand("library_commands.searching:search", "Search for papers, and print the best first."),
    "chunks": LazyCommand("library_commands.searching:chunks", "Print the passages that answer a query best."),
    "list": LazyCommand("library_commands.projects:list_projects", "List the projects: papers, size, and last change."),
    "remove": LazyCommand("library_commands.projects:remove", "Remove a project, or a part of it."),
    "push": LazyCommand("library_commands.projects:push", "Put a project into a deployment on AWS."),
}
library_app = group("library", "Search your own papers and notes.", COMMANDS)
