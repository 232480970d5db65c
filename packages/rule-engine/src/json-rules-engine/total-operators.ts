/**
 * The library's own operators and decorators, made total: where one throws (`in` a missing fact, `someValue` of a text, an
 * object without a text form) the comparison is false instead, as `core/rule-operators.ts` states.
 */
import { type Engine, Operator, OperatorDecorator } from 'json-rules-engine';

/** Those that can throw; the others are total as they come. */
const throwing = ['in', 'notIn', 'lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive'];

/** What the library's typings leave out of `Engine`. */
interface OperatorTable {
  operators: { get(name: string): { evaluate(a: unknown, b: unknown): boolean } };
}

/** Replaces the operators of an engine that can throw. */
export function makeOperatorsTotal(engine: Engine): void {
  for (const name of throwing) {
    const own = (engine as unknown as OperatorTable).operators.get(name);
    engine.addOperator(
      new Operator(name, (a, b) => {
        try {
          return own.evaluate(a, b);
        } catch {
          return false;
        }
      }),
    );
  }
  engine.addOperatorDecorator(
    new OperatorDecorator('someValue', (a, b, next) => Array.isArray(b) && b.some((element) => next(a, element))),
  );
  engine.addOperatorDecorator(
    new OperatorDecorator('everyValue', (a, b, next) => Array.isArray(b) && b.every((element) => next(a, element))),
  );
}
