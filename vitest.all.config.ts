/** All tests, also those that take long: `npm run test:all`. */
import { configOf } from './vitest.config.ts';

export default configOf(true);
