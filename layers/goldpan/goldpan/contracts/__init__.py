"""The request, the answer, and the rows that every kind of result shares; no more than plain data and its rules."""

from goldpan.contracts.answer import FAILED_STATUSES as FAILED_STATUSES
from goldpan.contracts.answer import Basis as Basis
from goldpan.contracts.answer import ExecutionTime as ExecutionTime
from goldpan.contracts.answer import FoundBy as FoundBy
from goldpan.contracts.answer import Link as Link
from goldpan.contracts.answer import Score as Score
from goldpan.contracts.answer import Section as Section
from goldpan.contracts.answer import StageError as StageError
from goldpan.contracts.answer import Unit as Unit
from goldpan.contracts.answer import Usage as Usage
from goldpan.contracts.answer import parse_section as parse_section
from goldpan.contracts.kinds import MAX_QUERY_CHARS as MAX_QUERY_CHARS
from goldpan.contracts.request import Mode as Mode
from goldpan.contracts.request import ProjectId as ProjectId
from goldpan.contracts.request import Question as Question
from goldpan.contracts.request import SearchRequest as SearchRequest
from goldpan.contracts.request import parse_request as parse_request
from goldpan.known import Interpretation as Interpretation
from goldpan.known import SourceStatus as SourceStatus
from goldpan.known import Status as Status
