/** The texts of all error codes: a code without one does not compile. */
import { accessErrorTexts } from '@topo-bench/access-study/error-texts';
import type { ErrorCode } from '@topo-bench/core';
import { type ErrorText, errorTexts } from '@topo-bench/core/error-texts';
import { storeErrorTexts } from '@topo-bench/store-study/error-texts';
import { streamErrorTexts } from '@topo-bench/stream-study/error-texts';
import { transferErrorTexts } from '@topo-bench/transfer-study/error-texts';

export const allErrorTexts: Readonly<Record<ErrorCode, ErrorText>> = {
  ...errorTexts,
  ...accessErrorTexts,
  ...storeErrorTexts,
  ...streamErrorTexts,
  ...transferErrorTexts,
};
