import edge from 'edge.js'
import type { I18n } from '@adonisjs/i18n'
import type { Preview, PreviewTheme } from './brand_preview.ts'

/** The colours of `tokens.css`, which a picture cannot read. */
const SURFACES: Record<PreviewTheme, Record<string, string>> = {
  light: {
    canvas: '#f7f8fa',
    surface: '#ffffff',
    line: '#e3e6eb',
    text: '#14181f',
    muted: '#555f6e',
  },
  dark: {
    canvas: '#0c0e12',
    surface: '#14171d',
    line: '#272c35',
    text: '#e9ecf1',
    muted: '#9ca6b5',
  },
}

/** The dark theme dims a bright fill, as `--accent-fill` does. */
const FILLS: Record<PreviewTheme, (color: string) => string> = {
  light: (color) => color,
  dark: (color) => `oklch(from ${color} min(l, 0.52) c h)`,
}

/** @returns an SVG document of 320 by 240 */
export function drawPreview(i18n: I18n, preview: Preview): string {
  const { theme, color } = preview
  const { canvas, surface, line, text, muted } = SURFACES[theme]
  const body = preview.kind === 'mail' ? mailOf(i18n, preview) : signInOf(i18n, preview)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 240" width="320" height="240">
<style>
  text { font: 12px Inter, system-ui, sans-serif; fill: ${text} }
  .strong { font-weight: 650; font-size: 15px }
  .muted { fill: ${muted}; font-size: 10px }
  .canvas { fill: ${canvas} }
  .card { fill: ${surface}; stroke: ${line} }
  .fill { fill: ${FILLS[theme](color)} }
  .on { fill: #fff; font-weight: 600 }
</style>
<rect class="canvas" width="320" height="240"/>
${body}
</svg>`
}

function signInOf(i18n: I18n, { name }: Preview) {
  return `${brandOf(name, 34)}
<rect class="card" x="40.5" y="58.5" width="239" height="158" rx="10"/>
<text class="strong" x="58" y="86">${escaped(i18n.t('sign_in.title'))}</text>
<text class="muted" x="58" y="106">${escaped(i18n.t('console.users.email'))}</text>
<rect class="card" x="58.5" y="112.5" width="203" height="24" rx="5"/>
<text class="muted" x="58" y="152">${escaped(i18n.t('console.users.password'))}</text>
<rect class="card" x="58.5" y="158.5" width="203" height="14" rx="5"/>
${buttonOf(i18n.t('sign_in.title'), 182)}`
}

function mailOf(i18n: I18n, { name }: Preview) {
  return `<rect class="card" x="24.5" y="18.5" width="271" height="204" rx="10"/>
${brandOf(name, 48)}
<text x="58" y="92">${escaped(i18n.t('configure.preview.mail'))}</text>
<rect class="card" x="58" y="106" width="203" height="1"/>
<rect class="card" x="58" y="122" width="160" height="1"/>
${buttonOf(i18n.t('configure.preview.link'), 150)}`
}

function brandOf(name: string, y: number) {
  const shown = name.length > 24 ? `${name.slice(0, 23)}…` : name
  return `<rect class="fill" x="58" y="${y - 14}" width="18" height="18" rx="5"/>
<text class="strong" x="84" y="${y}">${escaped(shown)}</text>`
}

function buttonOf(text: string, y: number) {
  return `<rect class="fill" x="58" y="${y}" width="203" height="24" rx="6"/>
<text class="on" x="159.5" y="${y + 16}" text-anchor="middle">${escaped(text)}</text>`
}

function escaped(text: string): string {
  return String(edge.globals.html.escape(text))
}
