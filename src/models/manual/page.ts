/**
 * The page of the desk: what waits, each with its prompt to copy and a field for the answer. One text, no build, no
 * other host; what a model or a puzzle wrote is only ever set as text.
 */
export const deskPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Polya: what waits for an answer</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark; }
  article { border: 1px solid #8886; border-radius: .5rem; padding: 1rem; margin: 1rem 0; }
  pre { white-space: pre-wrap; max-height: 24rem; overflow: auto; background: #8881; padding: .75rem; }
  textarea { width: 100%; min-height: 8rem; font: inherit; box-sizing: border-box; }
  img { max-width: 100%; border: 1px solid #8886; }
  .problem { color: #c33; }
</style>
<h1>What waits for an answer</h1>
<p id="state">Looking …</p>
<main></main>
<script type="module">
  const main = document.querySelector('main');
  const state = document.querySelector('#state');
  const shown = new Map();
  const make = (tag, text = '') => Object.assign(document.createElement(tag), { textContent: text });
  function show(question) {
    const card = make('article');
    card.append(make('h2', question.place));
    const prompt = make('pre', question.prompt);
    const copy = make('button', 'Copy the prompt');
    copy.onclick = () => navigator.clipboard.writeText(question.prompt);
    const field = make('textarea');
    field.placeholder = 'The answer as text, or JSON: {"text": "…", "toolCalls": [{"name": "…", "args": {}}]}';
    const send = make('button', 'Answer');
    const problem = make('p');
    problem.className = 'problem';
    send.onclick = async () => {
      let body = { text: field.value };
      if (/^\\s*\\{/.test(field.value) && !question.output) {
        try { body = JSON.parse(field.value); } catch { /* then it is text */ }
      }
      const response = await fetch('/waiting/' + question.id, {
        method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
      });
      if (!response.ok) problem.textContent = (await response.json()).error;
      else look();
    };
    card.append(copy, prompt);
    for (const { url } of question.images) card.append(Object.assign(new Image(), { src: url, alt: '' }));
    card.append(field, send, problem);
    return card;
  }
  async function look() {
    const { waiting } = await (await fetch('/waiting')).json();
    const ids = new Set(waiting.map(({ id }) => id));
    for (const [id, card] of shown) if (!ids.has(id)) { card.remove(); shown.delete(id); }
    for (const question of waiting) {
      if (shown.has(question.id)) continue;
      const card = show(question);
      shown.set(question.id, card);
      main.append(card);
    }
    state.textContent = waiting.length ? waiting.length + ' waiting' : 'Nothing waits.';
  }
  setInterval(() => look().catch(() => { state.textContent = 'Polya has ended.'; }), 1000);
  look();
</script>
</html>
`;
