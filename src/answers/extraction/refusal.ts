/** Replies that decline to answer, in several languages: their words are no answer, and no vote. */

const declines: readonly RegExp[] = [
  // `We cannot find x directly, so it is 5` goes on to an answer.
  /\b(?:I|we)(?:\s+am|\s+are|['’](?:m|re|ve))?\s+(?:(?:am|are|be|have|was|were|must|really|still|currently|simply|honestly|sadly|unfortunately|also|afraid|sorry|that|I)\s+){0,3}(?:(?:can(?:not|['’]t|\s+not)|could(?:\s+not|n['’]t)|(?:un|not\s+)able\s+to|failed\s+to)\s+(?:(?:reliably|confidently|uniquely|definitively|really|possibly|accurately|be|seem\s+to)\s+)?(?:determine|answer|solve|compute|calculate|find|give|provide|help|assist|complete|conclude|say|tell|decide|evaluate|derive|sure|certain|confirm|work|comply|do|see|verify|identify|produce|reach|come)\b|do(?:\s+not|n['’]t)\s+(?:know|have\s+(?:enough|sufficient|an?\s+answer|the\s+answer))|(?:am\s+)?not\s+(?:sure|certain)|uncertain|decline|refuse|give\s+up|no\s+(?:idea|answer)|have\s+no\s+(?:idea|answer))(?!.{0,200}(?:\b(?:so|thus|therefore|hence|but)\b|=).{0,80}\d)/isu,
  /^\W*(?:no idea|idk|not sure|unknown|no answer(?: found| given)?|n\/?a|tbd|to do|todo|none given|unable to (?:answer|determine|solve|compute|calculate|find)\b.*)\W*$/isu,
  /\bje (?:ne |n['’])(?:le |la |peux |sais|connais|suis pas)|\b(?:ich|wir) (?:weiß|weiss|wissen|kann|können)(?!\p{L}).{0,80}\bnicht\b|\bkeine Ahnung\b|(?<!\p{L})no (?:lo )?sé(?!\p{L})|\bno (?:puedo|podemos)\b|\bnon (?:lo )?so\b|\bnon (?:posso|riesco)\b|(?<!\p{L})n[ãa]o (?:sei|posso|consigo)\b|\b(?:ik weet|ik kan)\b.{0,60}\bniet\b|\bnie (?:wiem|mogę|potrafię)|\bbilmiyorum\b|\btidak tahu\b/iu,
  /(?<!\p{L})не (?:знаю|могу|можу|знаємо)|我(?:不知道|无法|無法|不能|不确定|不清楚)|不知道|[わ分]か(?:りません|らない)|答えられません|모르겠|모릅니다|لا أعرف|नहीं पता/iu,
  // What a form holds before it is filled in.
  /^(?:[\s$._{}]|\\l?dots|[?…])*(?:\?|…|\.{3}|\\l?dots|_{2})(?:[\s$._{}]|\\l?dots|[?…])*$/u,
];

/** Whether a text says that its writer has no answer. What says that there is none, as "no solution" does, is one. */
export function isRefusal(text: string): boolean {
  const plain = text
    .slice(0, 600)
    .replaceAll(/\\(?:text\w*|mathrm|mbox)\s*\{([^{}]*)\}/g, '$1')
    .replaceAll(/\*\*|__|~/g, ' ');
  return declines.some((pattern) => pattern.test(plain.trim()));
}
