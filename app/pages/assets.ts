import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import app from '@adonisjs/core/services/app'

/*
 | The files that pages load. They are few and small and kept in memory. Each is named by a
 | hash of its contents and may be cached forever; a new release has new names.
 */

interface Asset {
  path: string
  type: string
  content: Buffer
}

const SOURCES: [string, string][] = [
  ['css/gatehouse.css', 'text/css; charset=utf-8'],
  ['js/gatehouse.js', 'text/javascript; charset=utf-8'],
  ['images/mark.svg', 'image/svg+xml'],
]

const byName = new Map<string, Asset>()
const byPath = new Map<string, Asset>()

for (const [source, type] of SOURCES) {
  const content = readFileSync(app.makePath('resources', source))
  const [name, extension] = source.split('/').at(-1)!.split('.')
  const digest = createHash('sha256').update(content).digest('base64url').slice(0, 10)
  const asset = { path: `/assets/${name}.${digest}.${extension}`, type, content }
  byName.set(`${name}.${extension}`, asset)
  byPath.set(asset.path, asset)
}

/** The path under which a file is served, such as `/assets/gatehouse.<hash>.css`. */
export function assetPath(name: string) {
  return byName.get(name)!.path
}

export function findAsset(path: string) {
  return byPath.get(path) ?? null
}
