"""The errors of the state machine and of Lambda, as the errors of goldpan."""

import json
from collections.abc import Mapping

from goldpan.engine.failures import DEFECT
from goldpan.errors import Defect, OutOfTime, Overloaded, TerminalError, terminal_error_named

RETRIED_ERRORS = [
    "Lambda.ClientExecutionTimeoutException", "Lambda.ServiceException", "Lambda.AWSLambdaException",
    "Lambda.SdkClientException", "Lambda.TooManyRequestsException", "Lambda.ResourceConflictException",
    "Lambda.ResourceNotReadyException", "Lambda.SnapStartException", "Lambda.SnapStartNotReadyException",
    "Lambda.SnapStartRegenerationFailureException", "Lambda.SnapStartTimeoutException",
    "Lambda.EC2ThrottledException", "Lambda.EC2UnexpectedException", "Lambda.ENINotReadyException",
]  # fmt: skip
"""Lambda's own service errors: the function did not run, or its response was lost; a later call may succeed.

https://docs.aws.amazon.com/step-functions/latest/dg/bp-lambda-serviceexception.html
https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html#API_Invoke_Errors
"""
THROTTLED_STARTS = ["Sfn.ThrottlingException", "Sfn.SfnException", "Sfn.SdkClientException"]
"""Errors of Step Functions itself with which a round is not started; what it has no class for is the second one."""
CUT_ERRORS = ["States.Timeout", "Sandbox.Timedout"]
NO_FUNCTION = "no function could be started: too many run at once, or none is ready"
CUT = "a stage was cut at its time limit"


def reported_error(failure: Mapping[str, object]) -> TerminalError | Defect:
    """Make the error that Step Functions reports, with the function's own message but without its stack trace."""
    name = str(failure.get("Error", ""))
    if name in CUT_ERRORS:
        return OutOfTime(CUT)
    if name in {*RETRIED_ERRORS, *THROTTLED_STARTS}:
        return Overloaded(NO_FUNCTION)
    error = terminal_error_named(name, _error_message(str(failure.get("Cause", ""))))
    return Defect(DEFECT) if isinstance(error, Defect) else error


def _error_message(cause: str) -> str:
    try:
        report = json.loads(cause)
    except ValueError:  # a text of the state machine, or a truncated report, whose stack trace is not shown
        return "" if cause.lstrip().startswith("{") else cause
    return str(report.get("errorMessage", "")) if isinstance(report, dict) else cause
