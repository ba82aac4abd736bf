import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import app from '@adonisjs/core/services/app'
import brand from '#config/brand'
import { onSettingsChange } from '#settings/values/current'
import { ensureSettings } from '#settings/values/ensure_settings'
import '#settings/refresh_config'

/* Assets stay in memory and are named by a hash of their contents, so that browsers cache them forever. */

interface Asset {
  path: string
  type: string
  content: Buffer
}

function webauthnBundle() {
  const entry = createRequire(import.meta.url).resolve('@simplewebauthn/browser')
  return join(dirname(entry), '../dist/bundle/index.umd.min.js')
}

const resources = app.makePath('resources')

function stylesIn(folder: string) {
  return readdirSync(resolve(resources, folder))
    .sort()
    .map((name) => `${folder}/${name}`)
}

/** `tokens.css` names the layers, so it comes first; print styles override all others. */
const STYLES = [
  ...['tokens', 'reset', 'base', 'utilities'].map((name) => `css/${name}.css`),
  ...stylesIn('css/components'),
  ...stylesIn('css/pages'),
]

const SOURCES: Record<string, { files: string[]; type: string }> = {
  'gatehouse.css': {
    files: STYLES,
    type: 'text/css; charset=utf-8',
  },
  'gatehouse.js': {
    files: ['js/gatehouse.js', 'js/fields.js'],
    type: 'text/javascript; charset=utf-8',
  },
  'form_post.js': {
    files: ['js/form_post.js'],
    type: 'text/javascript; charset=utf-8',
  },
  'passkeys.js': {
    files: [webauthnBundle(), 'js/passkeys.js'],
    type: 'text/javascript; charset=utf-8',
  },
  'mark.svg': { files: ['images/mark.svg'], type: 'image/svg+xml' },
}

const byName = new Map<string, Asset>()
const byPath = new Map<string, Asset>()

for (const [name, { files, type }] of Object.entries(SOURCES)) addAsset(name, type, read(files))

function read(files: string[]) {
  return Buffer.concat(files.map((file) => readFileSync(resolve(resources, file))))
}

const PLAIN_STYLE = byName.get('gatehouse.css')!.content

/** A page that was sent before a change still requests the earlier paths. */
const KEPT = 10

const brandPaths = new Set<string>()

/** The stylesheet ends with the brand colour, because the content security policy forbids inline styles. */
function addBrand() {
  const color = Buffer.from(`:root { --brand: ${brand.color}; }\n`)
  const { type } = SOURCES['gatehouse.css']
  keep(addAsset('gatehouse.css', type, Buffer.concat([PLAIN_STYLE, color])))
  const { logo } = brand
  if (logo) keep(addAsset(`logo.${logo.extension}`, logo.type, logo.content))
}

function keep({ path }: Asset) {
  brandPaths.delete(path)
  brandPaths.add(path)
  const [oldest] = brandPaths
  if (brandPaths.size <= KEPT) return
  brandPaths.delete(oldest)
  byPath.delete(oldest)
}

function addAsset(name: string, type: string, content: Buffer) {
  const [stem, extension] = name.split('.')
  const digest = createHash('sha256').update(content).digest('base64url').slice(0, 10)
  const asset = { path: `/assets/${stem}.${digest}.${extension}`, type, content }
  byName.set(name, asset)
  byPath.set(asset.path, asset)
  return asset
}

addBrand()
onSettingsChange(addBrand)

export function logoPath() {
  return brand.logo && assetPath(`logo.${brand.logo.extension}`)
}

/** @returns a path such as `/assets/gatehouse.<hash>.css` */
export function assetPath(name: string) {
  return byName.get(name)!.path
}

/** Another process may have sent the page with a brand that this process has yet to load. */
export async function findAsset(path: string) {
  if (!byPath.has(path)) await ensureSettings()
  return byPath.get(path) ?? null
}
