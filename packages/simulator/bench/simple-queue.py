"""M/M/1 in SimPy (https://simpy.readthedocs.io): prints processor time per customer and mean time, as JSON."""

import json
import random
import sys
import time

import simpy


def main(customers: int, utilisation: float) -> None:
    draw = random.Random(1).expovariate
    environment = simpy.Environment()
    server = simpy.Resource(environment)
    total = 0.0

    def customer():
        nonlocal total
        arrived = environment.now
        with server.request() as turn:
            yield turn
            yield environment.timeout(draw(1.0))
        total += environment.now - arrived

    def source():
        for _ in range(customers):
            yield environment.timeout(draw(utilisation))
            environment.process(customer())

    environment.process(source())
    begin = time.process_time()
    environment.run()
    us = (time.process_time() - begin) * 1e6
    print(json.dumps({"usPerCustomer": us / customers, "mean": total / customers, "version": simpy.__version__}))


main(int(sys.argv[1]), float(sys.argv[2]))
