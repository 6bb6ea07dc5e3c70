/** `polya ahc vis`: comes with this part. */
import { ahcLater } from './ahc-later.ts';

export const ahcVis = ahcLater('vis');
