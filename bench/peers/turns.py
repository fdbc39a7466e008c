"""How a peer and peers.ts take turns: one line of JSON tells the task, each further line asks for one run.

stdin: the task, then a line a run
stdout: {"version", "rows", "orders"} when all is loaded, converted and compiled, then {"seconds"} a run
"""
import contextlib
import json
import sys


def task():
    return json.loads(sys.stdin.readline())


def take_turns(version, rows, orders, run):
    """`run` answers its own seconds; what it prints goes to stderr."""
    answer({'version': version, 'rows': rows, 'orders': orders})
    for _ in sys.stdin:
        with contextlib.redirect_stdout(sys.stderr):
            seconds = run()
        answer({'seconds': seconds})


def answer(message):
    print(json.dumps(message), flush=True)
