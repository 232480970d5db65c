/**
 * "Did you mean …?": lives in core, since metrics and factors are misspelt too; here under the name that the checks of
 * files use.
 */
export * from '@topo-bench/core';
