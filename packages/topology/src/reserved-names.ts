/** Members named `__proto__` where names are free. Schemas drop them: a part of the file would have no effect. */
import type { Finding } from './finding.ts';
import type { Path } from './source-document.ts';

const reserved = '__proto__';

/** Those of all maps of a topology: its values are names and figures. */
export function reservedNames(value: unknown, path: Path = []): Finding[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, member]) =>
    reservedNames(member, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return [...reservedNameOf(value, path), ...inside];
}

/** Those of named conditions. Payloads of examples may have such a member, as those of requests. */
export function reservedConditions(rules: unknown): Finding[] {
  const { conditions } = (rules ?? {}) as { conditions?: unknown };
  return typeof conditions === 'object' && conditions !== null ? reservedNameOf(conditions, ['conditions']) : [];
}

function reservedNameOf(map: object, path: Path): Finding[] {
  if (!Object.hasOwn(map, reserved)) return [];
  const message = `${path.join('.') || 'the file'}: ${reserved} is not a name here`;
  return [
    { path: [...path, reserved], at: 'key', code: 'TB_SCHEMA_UNKNOWN_KEY', message, hint: 'choose another name' },
  ];
}
