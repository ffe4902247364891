"""Where the states of a state machine lead, and why."""

from __future__ import annotations

from tests.contract.stack.state_machine_shapes import Box, State

Ways = tuple[tuple[str, str], ...]
"""The states to which another leads besides the spine, each with the reason."""


def ways_out(state: State, states: State) -> Ways:
    """Tell where a state leads besides its next one on the spine, and why."""
    if "Default" in state:
        first = state["Choices"][0]["Next"]
        return ((state["Default"], "no"),) if _onward(state, states) == first else ((first, "yes"),)
    catches = state.get("Catch", [])
    return tuple((catch["Next"], _reason(catch["ErrorEquals"], alone=len(catches) == 1)) for catch in catches)


def _reason(errors: list[str], *, alone: bool) -> str:
    if "States.ALL" in errors:
        return "any failure" if alone else "anything else"
    if "States.Timeout" in errors:
        return "time limits"
    if errors == ["Lambda.TooManyRequestsException"]:
        return "throttled"
    return "platform" if any("." in error for error in errors) else "named endings"


def chain(name: str | None, states: State) -> list[str]:
    """Name the states of the spine, from one of them on."""
    if name is None:
        return []
    return [name, *chain(_onward(states[name], states), states)]


def _onward(state: State, states: State) -> str | None:
    """Name the next state of the spine; from a question it is the one that leads to a Map, where all the work is."""
    if "Choices" not in state:
        return state.get("Next")
    first, default = state["Choices"][0]["Next"], state["Default"]
    return str(first if _works(first, states) or not _works(default, states) else default)


def _works(name: str | None, states: State) -> bool:
    while name is not None and states[name]["Type"] != "Map":
        state = states[name]
        name = state["Choices"][0]["Next"] if "Choices" in state else state.get("Next")
    return name is not None


def answer_of(question: Box, name: str) -> str:
    """Tell by which answer a question leads on."""
    if question.state["Type"] != "Choice":
        return ""
    return "yes" if question.state["Choices"][0]["Next"] == name else "no"
