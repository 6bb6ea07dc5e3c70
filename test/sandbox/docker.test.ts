/**
 * The container back-end, where it differs from the default.
 * @module-tag root
 */
import { dockerConformance } from './back-ends.ts';

dockerConformance('differences');
