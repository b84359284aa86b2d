#!/usr/bin/env python3
"""A pdm worker in plain Python: stores the bounding box of a STEP file's points as its properties.

Set PDM_URL and PDM_TOKEN (a token with the role worker). Requires Python 3.8 or newer and no packages.
docs/worker-protocol.md describes the protocol; `npx pdm worker-check -- python3 point_box.py` tests your own worker.
"""

import hashlib
import http.client
import json
import os
import re
import signal
import socket
import sys
import threading
import time
import urllib.parse
import uuid

SERVICE = urllib.parse.urlsplit(os.environ.get("PDM_URL", "http://127.0.0.1:8080"))
TOKEN = os.environ.get("PDM_TOKEN", "")
# The random part distinguishes a restarted worker from the one that disappeared.
WORKER_ID = f"point-box-{socket.gethostname()[:40]}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
GENERATOR = "point-box-py/1.0"
WAIT_SECONDS = 30
POINT = re.compile(rb"CARTESIAN_POINT\s*\([^,]*,\s*\(([^()]*)\)")


class ApiError(Exception):
    """An error response of the service."""

    def __init__(self, status, code, message):
        super().__init__(message)
        self.status, self.code = status, code


class UnrecoverableError(Exception):
    """The job cannot succeed with the same input."""


class JobAborted(Exception):
    """The job must be stopped. The argument is the reason: lease_lost, cancelled or shutdown."""


CONNECTION_ERRORS = (OSError, http.client.HTTPException)


def is_transient(error):
    """Whether the same request may succeed later."""
    if isinstance(error, ApiError):
        return error.status == 429 or error.status >= 500
    return isinstance(error, CONNECTION_ERRORS)


def connect(seconds):
    factory = http.client.HTTPSConnection if SERVICE.scheme == "https" else http.client.HTTPConnection
    return factory(SERVICE.hostname, SERVICE.port, timeout=seconds)


def api_error(response, content):
    try:
        problem = json.loads(content)
    except ValueError:
        problem = {}
    message = problem.get("detail") or problem.get("title") or response.reason
    return ApiError(response.status, problem.get("code", f"http_{response.status}"), message)


def request(method, path, body=None, headers=None, seconds=30, connection=None):
    """Sends one request; returns the response body, or None for 204. Raises ApiError or one of CONNECTION_ERRORS."""
    connection = connection or connect(seconds)
    try:
        all_headers = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json", **(headers or {})}
        connection.request(method, path, body=body, headers=all_headers)
        response = connection.getresponse()
        content = response.read()
    finally:
        connection.close()
    if response.status >= 400:
        raise api_error(response, content)
    return None if response.status == 204 else content


def post_json(path, body, **options):
    headers = {"Content-Type": "application/json"}
    content = request("POST", "/api/v1" + path, json.dumps(body), headers, **options)
    return None if content is None else json.loads(content)


def with_retry(operation, seconds, stopped=None):
    """Repeats an operation while it fails with a transient error, with a backoff of 0.2, 0.4 … 5 s."""
    deadline, pause = time.monotonic() + seconds, 0.2
    while True:
        try:
            return operation()
        except Exception as error:
            if not is_transient(error) or time.monotonic() + pause > deadline:
                raise
        if stopped is None:
            time.sleep(pause)
        elif stopped.wait(pause):
            raise JobAborted("stopped")
        pause = min(pause * 2, 5)


class Lease:
    """Sends the heartbeats of one job from a thread. `aborted` is set when the job must be stopped; see `reason`."""

    def __init__(self, job):
        self.job, self.reason = job, None
        self.aborted, self.ended = threading.Event(), threading.Event()
        self.percent, self.step = 0, ""
        self.thread = threading.Thread(target=self._send_heartbeats, daemon=True)
        self.thread.start()

    def abort(self, reason):
        self.reason = self.reason or reason
        self.aborted.set()

    def raise_if_aborted(self):
        if self.aborted.is_set():
            raise JobAborted(self.reason)

    def end(self):
        self.ended.set()
        self.thread.join(timeout=10)

    def _send_heartbeats(self):
        job, renewed_at = self.job, time.monotonic()
        while not self.ended.wait(job["heartbeatSeconds"] * 0.9):
            sent_at = time.monotonic()
            try:
                body = {"attempt": job["attempt"], "workerId": WORKER_ID, "percent": self.percent, "step": self.step}
                seconds = min(10, job["leaseSeconds"] * 0.8)
                response = post_json(f"/jobs/{job['id']}/heartbeat", body, seconds=seconds)
                renewed_at = sent_at
                if response["cancelRequested"]:
                    return self.abort("cancelled")
            except ApiError as error:
                if not is_transient(error):
                    return self.abort("lease_lost")
            except CONNECTION_ERRORS:
                pass  # retry with the next heartbeat, until four fifths of the lease have passed
            if time.monotonic() - renewed_at > job["leaseSeconds"] * 0.8:
                return self.abort("lease_lost")


def download(file, lease):
    """Returns the bytes of an input file after verifying its SHA-256. Stops when the job is aborted."""
    connection = connect(30)
    try:
        connection.request("GET", file["url"], headers={"Authorization": f"Bearer {TOKEN}"})
        response = connection.getresponse()
        if response.status >= 400:
            raise api_error(response, response.read())
        chunks = []
        while True:
            lease.raise_if_aborted()
            chunk = response.read1(65536)
            if not chunk:
                break
            chunks.append(chunk)
    finally:
        connection.close()
    content = b"".join(chunks)
    if hashlib.sha256(content).hexdigest() != file["sha256"]:
        raise OSError(f"the SHA-256 of {file['kind']} does not match")
    return content


def upload(job, kind, content, name):
    headers = {
        "Content-Type": "application/json",
        "X-File-Name": name,
        "X-Generator": GENERATOR,
        "X-Input-Sha256": job["inputSha256"],
        "X-Job-Attempt": str(job["attempt"]),
    }
    request("POST", f"/api/v1/versions/{job['versionId']}/artifacts?kind={kind}", content, headers, seconds=300)


def handle(job, lease):
    """Does the work of one job. Everything specific to this worker is here."""
    def retry(operation):
        return with_retry(operation, job["leaseSeconds"], lease.aborted)

    context = json.loads(retry(lambda: request("GET", f"/api/v1/jobs/{job['id']}/context")))
    source = next((file for file in context["files"] if file["kind"] == "source"), None)
    if source is None:
        raise UnrecoverableError("The job has no source file.")
    content = retry(lambda: download(source, lease))
    lease.percent, lease.step = 50, "measuring"
    points = [[float(number) for number in numbers.split(b",")] for numbers in POINT.findall(content)]
    points = [point for point in points if len(point) == 3]
    if not points:
        raise UnrecoverableError(f"{source['fileName']} contains no points. Is it a STEP file?")
    box = {"min": [min(axis) for axis in zip(*points)], "max": [max(axis) for axis in zip(*points)]}
    lease.raise_if_aborted()
    retry(lambda: upload(job, "properties", json.dumps({"boundingBox": box}), "properties.json"))


def report(job, action, body, seconds):
    """Reports the outcome, repeated with the same attempt until the service confirms it or the time is over."""
    fields = {"attempt": job["attempt"], "workerId": WORKER_ID, **body}
    try:
        return with_retry(lambda: post_json(f"/jobs/{job['id']}/{action}", fields, seconds=10), seconds)
    except (ApiError, *CONNECTION_ERRORS) as error:
        print(f"{action} failed: {error}", file=sys.stderr)


def run_job(job, lease):
    failure = None
    try:
        handle(job, lease)
    except JobAborted:
        pass
    except UnrecoverableError as error:
        failure = {"error": {"code": "unrecoverable", "message": str(error)}, "final": True}
    except ApiError as error:
        if error.code in ("lease_lost", "not_your_job"):
            lease.abort("lease_lost")
        failure = {"error": {"code": error.code, "message": str(error)}, "retryable": is_transient(error)}
    except CONNECTION_ERRORS as error:
        failure = {"error": {"code": "unreachable", "message": str(error)}, "retryable": True}
    except Exception as error:  # an error in this worker
        failure = {"error": {"code": "failed", "message": f"{type(error).__name__}: {error}"}}
    lease.end()
    if lease.reason == "lease_lost":
        return
    if lease.reason == "cancelled":
        report(job, "fail", {"error": {"code": "cancelled", "message": "The job was cancelled."}}, job["leaseSeconds"])
    elif lease.reason == "shutdown":
        report(job, "give-back", {}, 3)
    elif failure:
        report(job, "fail", failure, job["leaseSeconds"])
    else:
        report(job, "complete", {}, job["leaseSeconds"])


def main():
    stopping = threading.Event()
    current = {"lease": None, "connection": None}

    def stop(_signal, _frame):
        stopping.set()
        if current["lease"]:
            current["lease"].abort("shutdown")
        # Closing the connection of a waiting claim lets the service give the job to another worker.
        if current["connection"] and current["connection"].sock:
            current["connection"].sock.shutdown(socket.SHUT_RDWR)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    # Without `environment` the worker would receive every convert job; an empty one excludes jobs with requirements.
    claim = {"workerId": WORKER_ID, "types": ["convert"], "environment": {}, "waitSeconds": WAIT_SECONDS}
    pause = 0.2
    while not stopping.is_set():
        requested_at = time.monotonic()
        try:
            current["connection"] = connect(WAIT_SECONDS + 30)
            job = post_json("/jobs/claim", claim, connection=current["connection"])
            pause = 0.2
        except Exception as error:
            if stopping.is_set():
                break
            if not is_transient(error):
                sys.exit(f"the service rejected this worker: {error}")
            print(f"could not claim a job, will retry: {error}", file=sys.stderr)
            stopping.wait(pause)
            pause = min(pause * 2, 5)
            continue
        finally:
            current["connection"] = None
        if job is None:
            if time.monotonic() - requested_at < 1:
                stopping.wait(1)
            continue
        lease = current["lease"] = Lease(job)
        if stopping.is_set():
            lease.abort("shutdown")
        run_job(job, lease)
        current["lease"] = None


if __name__ == "__main__":
    main()
