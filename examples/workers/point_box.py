#!/usr/bin/env python3
"""A worker for pdm in plain Python: the box around the points of a STEP file, stored as its properties.

Run it with PDM_URL and PDM_TOKEN (a token of the role worker) in the environment. Python 3.8 or newer, nothing to install.
The protocol is in docs/worker-protocol.md; `npx pdm worker-check -- python3 point_box.py` checks a worker of your own against it.
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
# A random part for each process: a worker that starts again must not be taken for the one that disappeared.
WORKER_ID = f"point-box-{socket.gethostname()[:40]}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
GENERATOR = "point-box-py/1.0"
WAIT_SECONDS = 30
POINT = re.compile(rb"CARTESIAN_POINT\s*\([^,]*,\s*\(([^()]*)\)")


class Refusal(Exception):
    """The service answered, and it was a refusal."""

    def __init__(self, status, code, message):
        super().__init__(message)
        self.status, self.code = status, code


class CannotDo(Exception):
    """The job cannot be done, and a retry with the same input cannot help."""


class LetGo(Exception):
    """The job must be let go of; the argument says why: lease_lost, cancel, shutdown."""


# What may pass by itself: no answer at all. A refusal with 429 or 5xx counts too, see may_pass.
NO_ANSWER = (OSError, http.client.HTTPException)


def may_pass(error):
    return isinstance(error, NO_ANSWER) or (isinstance(error, Refusal) and (error.status == 429 or error.status >= 500))


def connect(seconds):
    kind = http.client.HTTPSConnection if SERVICE.scheme == "https" else http.client.HTTPConnection
    return kind(SERVICE.hostname, SERVICE.port, timeout=seconds)


def request(method, path, body=None, headers=None, seconds=30, connection=None):
    """One request; the bytes of its answer, and None for 204. Raises Refusal, or one of NO_ANSWER."""
    connection = connection or connect(seconds)
    try:
        sent = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json", **(headers or {})}
        connection.request(method, path, body=body, headers=sent)
        answer = connection.getresponse()
        content = answer.read()
    finally:
        connection.close()
    if answer.status >= 400:
        try:
            problem = json.loads(content)
        except ValueError:
            problem = {}
        raise Refusal(answer.status, problem.get("code", f"http_{answer.status}"), problem.get("detail") or problem.get("title") or answer.reason)
    return None if answer.status == 204 else content


def say(path, body, **options):
    content = request("POST", "/api/v1" + path, json.dumps(body), {"Content-Type": "application/json"}, **options)
    return None if content is None else json.loads(content)


def until_answered(deed, seconds, stopped=None):
    """Does it again after 0.2, 0.4 … 5 s while nobody answers or the service is unable, for at most so many seconds."""
    end, pause = time.monotonic() + seconds, 0.2
    while True:
        try:
            return deed()
        except Exception as error:
            if not may_pass(error) or time.monotonic() + pause > end:
                raise
        if stopped is None:
            time.sleep(pause)
        elif stopped.wait(pause):
            raise LetGo("stopped")
        pause = min(pause * 2, 5)


class Lease:
    """Keeps one job from a thread of its own; `let_go` is set when it must be let go of, `reason` says why."""

    def __init__(self, job):
        self.job, self.reason = job, None
        self.let_go, self.ended = threading.Event(), threading.Event()
        self.percent, self.step = 0, ""
        self.thread = threading.Thread(target=self._beat, daemon=True)
        self.thread.start()

    def stop(self, reason):
        self.reason = self.reason or reason
        self.let_go.set()

    def check(self):
        if self.let_go.is_set():
            raise LetGo(self.reason)

    def end(self):
        self.ended.set()
        self.thread.join(timeout=10)

    def _beat(self):
        job, heard = self.job, time.monotonic()
        while not self.ended.wait(job["heartbeatSeconds"] * 0.9):
            sent = time.monotonic()
            try:
                beat = {"attempt": job["attempt"], "workerId": WORKER_ID, "percent": self.percent, "step": self.step}
                answer = say(f"/jobs/{job['id']}/heartbeat", beat, seconds=min(10, job["leaseSeconds"] * 0.8))
                heard = sent
                if answer["cancel"]:
                    return self.stop("cancel")
            except Refusal as refusal:
                if refusal.status < 500 and refusal.status != 429:
                    return self.stop("lease_lost")
            except NO_ANSWER:
                pass  # the next beat tries again, until four fifths of the lease have passed
            if time.monotonic() - heard > job["leaseSeconds"] * 0.8:
                return self.stop("lease_lost")


def download(file, lease):
    """The bytes of an input file, compared with its SHA-256; it looks up from reading to see whether the job must be let go of."""
    connection = connect(30)
    try:
        connection.request("GET", file["url"], headers={"Authorization": f"Bearer {TOKEN}"})
        answer = connection.getresponse()
        if answer.status >= 400:
            problem = json.loads(answer.read() or b"{}")
            raise Refusal(answer.status, problem.get("code", ""), problem.get("detail", answer.reason))
        parts = []
        while True:
            lease.check()
            part = answer.read1(65536)
            if not part:
                break
            parts.append(part)
    finally:
        connection.close()
    content = b"".join(parts)
    if hashlib.sha256(content).hexdigest() != file["sha256"]:
        raise OSError(f"{file['kind']} came damaged: its SHA-256 is another")
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


def work(job, lease):
    """Does the job: all that is particular to this worker is here."""
    seconds = job["leaseSeconds"]
    context = until_answered(lambda: json.loads(request("GET", f"/api/v1/jobs/{job['id']}/context")), seconds, lease.let_go)
    source = next((file for file in context["files"] if file["kind"] == "source"), None)
    if source is None:
        raise CannotDo("The job has no source.")
    content = until_answered(lambda: download(source, lease), seconds, lease.let_go)
    lease.percent, lease.step = 50, "measuring"
    points = [[float(number) for number in numbers.split(b",")] for numbers in POINT.findall(content)]
    points = [point for point in points if len(point) == 3]
    if not points:
        raise CannotDo(f"{source['fileName']} has no points: is it a STEP file?")
    box = {"min": [min(axis) for axis in zip(*points)], "max": [max(axis) for axis in zip(*points)]}
    lease.check()
    until_answered(lambda: upload(job, "properties", json.dumps({"boundingBox": box}), "properties.json"), seconds, lease.let_go)


def finish(job, deed, body, seconds):
    """The last word, repeated with the same attempt until it is heard or the lease has run out."""
    said = {"attempt": job["attempt"], "workerId": WORKER_ID, **body}
    try:
        return until_answered(lambda: say(f"/jobs/{job['id']}/{deed}", said, seconds=10), seconds)
    except Refusal as refusal:
        print(f"{deed} was refused: {refusal}", file=sys.stderr)
    except NO_ANSWER as error:
        print(f"{deed} could not be told: {error}", file=sys.stderr)


def do(job, lease):
    failure = None
    try:
        work(job, lease)
    except LetGo:
        pass
    except CannotDo as error:
        failure = {"error": {"code": "cannot_do", "message": str(error)}, "final": True}
    except Refusal as refusal:
        if refusal.code in ("lease_lost", "not_your_job"):
            lease.stop("lease_lost")
        failure = {"error": {"code": refusal.code, "message": str(refusal)}, "again": may_pass(refusal)}
    except NO_ANSWER as error:
        failure = {"error": {"code": "unreachable", "message": str(error)}, "again": True}
    except Exception as error:  # a fault of this worker: the job says so
        failure = {"error": {"code": "failed", "message": f"{type(error).__name__}: {error}"}}
    lease.end()
    if lease.reason == "lease_lost":
        return
    if lease.reason == "cancel":
        finish(job, "fail", {"error": {"code": "cancelled", "message": "The job was cancelled."}}, job["leaseSeconds"])
    elif lease.reason == "shutdown":
        finish(job, "give-back", {}, 3)
    elif failure:
        finish(job, "fail", failure, job["leaseSeconds"])
    else:
        finish(job, "complete", {}, job["leaseSeconds"])


def main():
    stopping = threading.Event()
    now = {"lease": None, "claim": None}

    def stop(_signal, _frame):
        stopping.set()
        if now["lease"]:
            now["lease"].stop("shutdown")
        # A claim that waits is hung up; the service then gives its job to somebody else.
        if now["claim"] and now["claim"].sock:
            now["claim"].sock.shutdown(socket.SHUT_RDWR)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    # Without an environment it would get every convert job; with an empty one it gets those that require nothing.
    wish = {"workerId": WORKER_ID, "types": ["convert"], "environment": {}, "waitSeconds": WAIT_SECONDS}
    pause = 0.2
    while not stopping.is_set():
        asked = time.monotonic()
        try:
            now["claim"] = connect(WAIT_SECONDS + 30)
            job = say("/jobs/claim", wish, connection=now["claim"])
            pause = 0.2
        except Exception as error:
            if stopping.is_set():
                break
            if not may_pass(error):
                sys.exit(f"The service refuses this worker: {error}")
            print(f"no job could be claimed, trying on: {error}", file=sys.stderr)
            stopping.wait(pause)
            pause = min(pause * 2, 5)
            continue
        finally:
            now["claim"] = None
        if job is None:
            if time.monotonic() - asked < 1:
                stopping.wait(1)
            continue
        lease = now["lease"] = Lease(job)
        if stopping.is_set():
            lease.stop("shutdown")
        do(job, lease)
        now["lease"] = None


if __name__ == "__main__":
    main()
