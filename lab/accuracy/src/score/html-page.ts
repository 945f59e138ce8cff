import type { PageTable, Section } from './page.ts';

/**
 * Formats sections as one HTML page with a final line break. It has no script, needs no other file, and is
 * readable without colours, on paper and by keyboard.
 */
export function htmlOf(title: string, introduction: string, sections: readonly Section[]): string {
  const links = sections.map(
    ({ title: name }) => `<li><a href="#${anchorOf(name)}">${escaped(name)}</a></li>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Plimsoll: ${escaped(title)}</title>
<style>
${style}
</style>
</head>
<body>
<header>
<h1>${escaped(title)}</h1>
<p>${prose(introduction)}</p>
<nav aria-label="Sections">
<ul>
${links.join('\n')}
</ul>
</nav>
</header>
<main>
${sections.map(sectionHtml).join('\n')}
</main>
</body>
</html>
`;
}

const style = `:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 90rem; padding: 1rem; }
p { max-width: 50rem; }
p, li { overflow-wrap: anywhere; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.875rem; }
th, td { border-bottom: 1px solid; padding: 0.25rem 0.75rem 0.25rem 0; text-align: left; vertical-align: top; }
thead th { vertical-align: bottom; }
.number { font-variant-numeric: tabular-nums; text-align: right; }
td { overflow-wrap: break-word; max-width: 30rem; }
@media print {
  nav { display: none; }
  .table { overflow: visible; }
  body { font-size: 9pt; max-width: none; padding: 0; }
  table { font-size: 7pt; }
  thead { display: table-header-group; }
  tr { break-inside: avoid; }
  h2 { break-after: avoid; }
}`;

function sectionHtml({ title, text, table }: Section): string {
  const id = anchorOf(title);
  const items = text.filter((paragraph) => paragraph.startsWith('- '));
  const paragraphs = text.filter((paragraph) => !paragraph.startsWith('- '));
  return [
    `<section aria-labelledby="${id}">`,
    `<h2 id="${id}">${escaped(title)}</h2>`,
    ...paragraphs.map((paragraph) => `<p>${prose(paragraph)}</p>`),
    ...(items.length === 0
      ? []
      : ['<ul>', ...items.map((item) => `<li>${prose(item.slice(2))}</li>`), '</ul>']),
    ...(table === undefined ? [] : tableHtml(table)),
    '</section>',
  ].join('\n');
}

/** A table in a frame that scrolls on narrow screens; browsers make such frames reachable by keyboard. */
function tableHtml({ columns, rows }: PageTable): readonly string[] {
  const classOf = (index: number) => (columns[index]?.[1] === 'number' ? ' class="number"' : '');
  return [
    '<div class="table">',
    '<table>',
    '<thead>',
    `<tr>${columns.map(([name], index) => `<th scope="col"${classOf(index)}>${escaped(name)}</th>`).join('')}</tr>`,
    '</thead>',
    '<tbody>',
    ...rows.map(
      (cells) =>
        `<tr>${cells
          .map((cell, index) =>
            index === 0
              ? `<th scope="row"${classOf(index)}>${escaped(cell)}</th>`
              : `<td${classOf(index)}>${prose(cell)}</td>`,
          )
          .join('')}</tr>`,
    ),
    '</tbody>',
    '</table>',
    '</div>',
  ];
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Renders Markdown's code, strong text and links, the only marks in sections. */
function prose(text: string): string {
  return escaped(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replace(/\[([^\]]+)\]\(([\w./-]+)\)/g, '<a href="$2">$1</a>');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
