/** Names of an enum with their descriptions: one table types a registry, fills the enum, and documents its values. */

export function namesOf<Name extends string>(texts: Readonly<Record<Name, string>>): [Name, ...Name[]] {
  return Object.keys(texts) as [Name, ...Name[]];
}

export function described(texts: Readonly<Record<string, string>>): string {
  return Object.entries(texts)
    .map(([name, text]) => `\`${name}\`: ${text}`)
    .join('; ');
}
