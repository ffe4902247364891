"""What the emulator refuses in a template that CloudFormation accepts."""

from typing import Any

from ministack.services.cloudformation import changesets, engine, handlers, provisioners

Document = dict[str, Any]


def install() -> None:
    """Accept alarms with `Metrics`, which no metric raises here, and lists whose members are allowed values."""
    record, resolve = provisioners._cw_metric_alarm_record, engine._resolve_parameters

    def record_any(name: str, properties: Document) -> Any:
        if "Metrics" not in properties:
            return record(name, properties)
        kept = {key: value for key, value in properties.items() if key != "Metrics"}
        return record(name, kept | {"Namespace": "expressions", "MetricName": name})

    def resolve_lists(template: Document, provided: list[Document], *more: Any, **options: Any) -> Any:
        parameters = {name: _free(definition) for name, definition in template.get("Parameters", {}).items()}
        for given in provided or ():
            definition = template.get("Parameters", {}).get(given.get("Key"), {})
            if "AllowedValues" in definition and definition["Type"] == "CommaDelimitedList":
                refused = set(str(given.get("Value", "")).split(",")) - set(definition["AllowedValues"])
                if refused:
                    raise ValueError(f"Parameter {given['Key']} must be one of AllowedValues")
        return resolve({**template, "Parameters": parameters}, provided, *more, **options)

    provisioners._cw_metric_alarm_record = record_any
    for module in (changesets, engine, handlers):
        if hasattr(module, "_resolve_parameters"):
            module._resolve_parameters = resolve_lists


def _free(definition: Document) -> Document:
    """Return a parameter without what the emulator compares with the whole list."""
    is_list = definition.get("Type") == "CommaDelimitedList"
    return {name: value for name, value in definition.items() if not (is_list and name == "AllowedValues")}
