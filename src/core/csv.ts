/** One cell of CSV (RFC 4180). What would be a formula in a spreadsheet becomes text. */

export function csvCell(text: string): string {
  const plain = csvText(text);
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** The same without quotation marks. A number is no formula, and stays as it is. */
export function csvText(text: string): string {
  const isFormula =
    /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/.test(text) && !/^[+-]?[\d.,]+(?:e[+-]?\d+)?%?$/i.test(text);
  return isFormula ? `'${text}` : text;
}
