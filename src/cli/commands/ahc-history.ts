/** `polya ahc history`: comes with this part. */
import { ahcLater } from './ahc-later.ts';

export const ahcHistory = ahcLater('history');
