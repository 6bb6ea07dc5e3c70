/** One cell of CSV (RFC 4180), for readers that calculate: what would be a formula in a spreadsheet is text. Pure. */

export function csvCell(text: string): string {
  const plain = csvText(text);
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** Without quotation marks around it. A number is no formula, and stays as it is. */
export function csvText(text: string): string {
  const isFormula = /^[=+\-@＝＋－＠\t\r\n]/.test(text) && !/^[+-]?[\d.,]+(?:e[+-]?\d+)?%?$/i.test(text);
  return isFormula ? `'${text}` : text;
}
