import { existsSync, readFileSync } from 'node:fs'
import app from '@adonisjs/core/services/app'

/* Reads the `CHANGELOG.md` of this version, which the build contains, and not the network. */

export interface Release {
  /** “0.2.0” */
  version: string
  themes: { title: string; items: string[] }[]
}

let releases: Release[] | undefined

/** Returns the releases after `oldest`, or else the one that runs. */
export function releasesAfter(oldest: string, running: string) {
  releases ??= parseChangelog(readChangelog())
  const at = releases.findIndex(({ version }) => version === oldest)
  const newer = at === -1 ? [] : releases.slice(0, at)
  return newer.length > 0 ? newer : releases.filter(({ version }) => version === running)
}

function readChangelog() {
  const file = app.makePath('CHANGELOG.md')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

export function parseChangelog(markdown: string): Release[] {
  const [, ...sections] = markdown.split(/^## /m)
  return sections.map((section) => {
    const [heading, ...themes] = section.split(/^### /m)
    return { version: heading.split(/\s/)[0], themes: themes.map(themeOf) }
  })
}

function themeOf(section: string) {
  const [title, ...lines] = section.split('\n')
  const items = lines
    .filter((line) => line.startsWith('- '))
    .map((line) => plainText(line.slice(2)))
  return { title: title.trim(), items }
}

/** Removes links, because they lead to files that no server serves. */
function plainText(markdown: string) {
  return markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\*\*|`/g, '')
}
