/** Runs a handler. An exception becomes one answer and never ends the process. */
import type { Call, Route } from './http-port.ts';
import { HttpProblem, problems } from './http-problem.ts';

export function runRoute(route: Route, call: Call): void {
  try {
    route.handle(call)?.catch((error: unknown) => fail(call, route, error));
  } catch (error) {
    fail(call, route, error);
  }
}

function fail(call: Call, route: Route, error: unknown): void {
  if (error instanceof HttpProblem) {
    call.answer(error.status, error.json);
    return;
  }
  process.stderr.write(`${route.method} ${route.path}: ${error instanceof Error ? error.stack : String(error)}\n`);
  call.answer(problems.internal.status, problems.internal.json);
}
