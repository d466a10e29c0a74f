"""Runs programs, and tells what they took."""

from dataclasses import dataclass
import os
import platform
import subprocess
import tempfile
import time


class Failed(Exception):
    """A program that did not do what it was asked for; a sentence."""


@dataclass(frozen=True)
class Taken:
    """What a program took, and what it said."""

    seconds: float
    peak: int  # the most memory that it held at once, in bytes
    written: int  # to files, in bytes
    output: str


def run(words, **environment):
    """Runs a program to its end. Throws Failed unless it ends well."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        start = time.perf_counter()
        try:
            process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, env={**os.environ, **environment})
        except OSError as error:
            raise Failed(f"{words[0]}: {error.strerror}") from None
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            process.kill()
            process.wait()
            raise
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if process.returncode != 0:
            said = errors.read().decode(errors="replace").strip().split("\n")[-1]
            raise Failed(f"{os.path.basename(words[0])}: {said or f'ended with {process.returncode}'}")
        # The kernel counts kilobytes, and blocks of 512 bytes.
        return Taken(seconds, usage.ru_maxrss * 1024, usage.ru_oublock * 512, output.read().decode(errors="replace"))


def median_run(times, words, **environment):
    """Several runs: the one with the median time."""
    runs = [run(words, **environment) for _ in range(times)]
    return sorted(runs, key=lambda taken: taken.seconds)[times // 2]


def version(words, holds="version"):
    """The line of what a program says of itself that has a certain word, or the first one; None where it is not installed."""
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except OSError:
        return None
    lines = [line.strip() for line in done.stdout.split("\n") if line.strip()]
    return next((line for line in lines if holds in line.lower()), lines[0] if lines else None)


def machine():
    """How many processors of which kind there are."""
    with open("/proc/cpuinfo") as file:
        processors = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    return f"{os.cpu_count()} × {(processors or [platform.machine()])[0]}"
