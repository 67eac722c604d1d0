#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the PTX of pool_orders.c: how often each function loads with acquire, stores with release, and adds or swaps with both.

The numbers are those of the functions' text with what they call put in, at least: one that is missing is an access that has
become relaxed.

usage: pool_orders.py FILE.ptx
"""
import re
import sys

ACQUIRE, RELEASE, ADD, SWAP = "ld.acquire.gpu", "st.release.gpu", "atom.acq_rel.gpu.global.add", "atom.acq_rel.gpu.global.cas"
EXPECTED = {
    "order_stop": {RELEASE: 1},
    "order_queue_put": {RELEASE: 1},                                # the slot holds a task
    "order_queue_unpack": {RELEASE: 1},                             # the slot may be used again
    "order_queue_take": {ACQUIRE: 1, RELEASE: 1},                   # and the unpack's
    "order_queue_await": {ACQUIRE: 2, RELEASE: 1},                  # who is near; the last look of who is not; a stop
    "order_queue_wait": {ACQUIRE: 2, RELEASE: 3, ADD: 1},           # the ticket; a stop; an await and an unpack
    "order_lane_put": {RELEASE: 1},                                 # the slot holds a batch
    "order_lane_wait": {ACQUIRE: 2, RELEASE: 3, ADD: 1},            # as order_queue_wait
    "order_lane_end": {ADD: 3},                                     # what a task waits for; a met node and iteration
    "order_lane_give_pack": {SWAP: 1},
    "order_lane_take_pack": {ACQUIRE: 1, SWAP: 1},
    "order_wake": {ACQUIRE: 1, RELEASE: 1},                         # the queue's head; a put
    "order_own_put": {RELEASE: 1},
    "order_own_take": {ACQUIRE: 1},
    "order_all_idle": {ACQUIRE: 2},
    "order_meet": {ADD: 1},
    "order_link_some": {ACQUIRE: 1, SWAP: 1},                       # the list that others append to and its end closes
    "order_drop_dependent": {ADD: 1},
    "order_meet_dependence": {ACQUIRE: 1, RELEASE: 4, ADD: 1},      # what it waits for; a ready task is given away
    "order_release_dependent": {ACQUIRE: 1, RELEASE: 4, ADD: 2, SWAP: 1},  # its list is closed; a met and a drop
}


def main():
    text = open(sys.argv[1]).read()
    found = dict(re.findall(r"\.func\s+(?:\([^)]*\)\s*)?(order_\w+)\s*\([^{;]*\{(.*?)\n\}", text, re.S))
    wrong = [f"{name} is not there" for name in EXPECTED if name not in found]
    for name, expected in EXPECTED.items():
        for what, least in expected.items():
            count = found.get(name, "").count(what)
            if count < least:
                wrong.append(f"{name} has {count} x {what}, not {least}: an access is relaxed")
    if wrong:
        sys.exit("pool_orders: " + "; ".join(wrong))


main()
