/** Maps the checks of a route to Fastify: schemas by request part, and their validators. */
import type { FastifySchema, FastifySchemaCompiler } from 'fastify';
import { checkPart, type RequestPart } from '../check-parts.ts';
import type { Route } from '../http-port.ts';
import type { ParsedBody } from '../request-body.ts';

type Checks = NonNullable<Route['checks']>;

export function schemaOf(checks: Checks): FastifySchema {
  return Object.fromEntries(Object.entries(checks).map(([part, { schema }]) => [part, schema]));
}

/** Returns the compiled checks as Fastify validators; every framework uses the same ones. */
export function validatorOf(checks: Checks): FastifySchemaCompiler<FastifySchema> {
  return ({ httpPart }) => {
    const check = checks[httpPart as RequestPart];
    return (value: unknown) => {
      try {
        // A parsed body carries its parse time.
        if (check) checkPart(check, httpPart === 'body' ? (value as ParsedBody).value : value);
        return true;
      } catch (error) {
        return { error: error as Error };
      }
    };
  };
}
