/** A drawing as SVG: neighbouring boxes of one colour are one path. Equal drawings give equal texts. */
import { renderMarkup } from '../text/markup.ts';
import { type Box, type Drawing, hexOf, type Label } from './drawing.ts';
import { glyphHeight, glyphScale } from './terminal.ts';

export function renderSvg({ width, height, background, boxes, labels }: Drawing): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" shape-rendering="crispEdges">`,
    `<rect width="${width}" height="${height}" fill="${hexOf(background)}"/>`,
    ...pathsOf(boxes),
    ...labels.map(textOf),
    '</svg>\n',
  ].join('\n');
}

function pathsOf(boxs: readonly Box[]): string[] {
  const runs: { readonly colour: string; path: string }[] = [];
  for (const { x, y, width, height, colour: rgb } of boxs) {
    const colour = hexOf(rgb);
    const path = `M${x} ${y}h${width}v${height}h${-width}z`;
    const last = runs.at(-1);
    if (last?.colour === colour) last.path += path;
    else runs.push({ colour, path });
  }
  return runs.map(({ colour, path }) => `<path fill="${colour}" d="${path}"/>`);
}

const fontPixels = glyphHeight * glyphScale;

function textOf({ x, y, text }: Label): string {
  const font = `font-family="monospace" font-size="${fontPixels + 2}"`;
  return `<text x="${x}" y="${y + fontPixels}" fill="#ffffff" ${font}>${renderMarkup(text)}</text>`;
}
