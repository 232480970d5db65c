/**
 * Total versions of the library's operators and decorators. When one throws (`in` a missing fact, `someValue` of a
 * string, an object without a string form), the comparison is false, as `core/rule-operators.ts` specifies.
 */
import { type Engine, Operator, OperatorDecorator } from 'json-rules-engine';

/** Operators that can throw. */
const throwing = ['in', 'notIn', 'lessThan', 'lessThanInclusive', 'greaterThan', 'greaterThanInclusive'];

/** Members of `Engine` that are missing in the types of the library. */
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
