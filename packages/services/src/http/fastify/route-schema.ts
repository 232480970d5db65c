/** A route's checks as Fastify knows them: schemas by part of the request, and who validates with them. */
import type { FastifySchema, FastifySchemaCompiler } from 'fastify';
import { checkPart, type RequestPart } from '../check-parts.ts';
import type { Route } from '../http-port.ts';
import type { ParsedBody } from '../request-body.ts';

type Checks = NonNullable<Route['checks']>;

export function schemaOf(checks: Checks): FastifySchema {
  return Object.fromEntries(Object.entries(checks).map(([part, { schema }]) => [part, schema]));
}

/** Fastify asks for one validator per part; ours are compiled already, the same ones for every framework. */
export function validatorOf(checks: Checks): FastifySchemaCompiler<FastifySchema> {
  return ({ httpPart }) => {
    const check = checks[httpPart as RequestPart];
    return (value: unknown) => {
      try {
        // A body comes with the time at which it was parsed.
        if (check) checkPart(check, httpPart === 'body' ? (value as ParsedBody).value : value);
        return true;
      } catch (error) {
        return { error: error as Error };
      }
    };
  };
}
