export function plainModules(code: string): string;
