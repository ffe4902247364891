"""The servers of the soak: `goldpan serve` without GitHub's own limits, or a bare handler beside it."""

import sys

import uvicorn
from goldpan.kinds.repositories.sources.github.settings import RATE_LIMITS
from goldpan_local.server.http_server import listen, run_server, url_of
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.benchmarks.frame import lift


def serve_bytes(body: bytes) -> None:
    """Serve the same bytes for each POST, after reading its body, with the same server and protocol."""

    async def search(http: Request) -> Response:
        await http.body()
        return Response(body, media_type="application/json")

    app = Starlette(routes=[Route("/search", search, methods=["POST"])])
    config = uvicorn.Config(
        app, http="h11", loop="asyncio", ws="none", lifespan="off", log_config=None, access_log=False
    )
    with listen("127.0.0.1", 0, 512) as listener:
        sys.stderr.write(f"listening on {url_of(listener)};\n")
        sys.stderr.flush()
        uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    if sys.argv[1] == "bare":
        serve_bytes(sys.stdin.buffer.read())
    else:
        lift(RATE_LIMITS, "github:graphql:token")
        run_server("127.0.0.1", 0, None, int(sys.argv[2]))
