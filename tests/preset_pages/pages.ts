import { readFileSync } from 'node:fs'
import { GROUPS, readPresets, type Preset } from '#oidc/presets/preset'
import type { Format } from '#oidc/presets/quoting'
import { registrationOf } from '#oidc/presets/registration'
import { settingsToCopy } from '#oidc/presets/settings_to_copy'
import { type CopiedText } from '#oidc/presets/fill_template'

/* The pages of docs/sign-in, from `resources/presets.yaml` and the English messages. */

const messages = JSON.parse(
  readFileSync(new URL('../../resources/lang/en/presets.json', import.meta.url), 'utf8')
)

/** The names of languages that a fenced block has for its colours. */
const LANGUAGES: Partial<Record<Format, string>> = {
  shell: 'sh',
  dotenv: 'sh',
  plain_env: 'sh',
  javascript: 'jsx',
}

const PKCE = {
  default: 'S256, which it sends by itself',
  setting: 'S256, which the settings below turn on',
  none: 'none: it sends no challenge, and `requirePkce` is off',
}

const WHERE =
  '`--url` is where the application is: `http://localhost` with its port where you try it on your own computer.'

const METHODS: Record<string, string> = { none: 'none: it has no secret, PKCE takes its place' }

/** Each file of the folder by its name. */
export async function presetPages() {
  const presets = await readPresets()
  return new Map([
    ['README.md', indexOf(presets)],
    ...presets.map((preset) => [`${preset.id}.md`, pageOf(preset)] as const),
  ])
}

function indexOf(presets: Preset[]) {
  const sections = GROUPS.flatMap((group) => [
    `## ${messages.groups[group]}`,
    table(
      ['application', 'signed in'],
      presets
        .filter((preset) => preset.group === group)
        .map((preset) => [`[${preset.name}](${preset.id}.md)`, evidenceOf(preset)])
    ),
  ])
  return page([
    '# Sign in to …',
    'Each page has the registration of an application and the settings to copy into it. The console has the same under “Applications”, with your addresses and secrets in them.',
    'To try one on your own computer, give its address there, such as `http://localhost:4180`, and `http://localhost:3333` for Gatehouse.',
    'Any other application takes the values of [OpenID provider](../openid-provider.md#register-an-application).',
    ...sections,
  ])
}

function evidenceOf({ tried, read }: Preset) {
  return tried ? `tried with ${tried}` : `from its documentation (${read})`
}

function pageOf(preset: Preset) {
  const { tried, read, page: documentation, needs, notes, settings } = preset
  const source = `Settings from [its documentation](${documentation}): ${read}.`
  const texts = settingsToCopy(preset, {
    client: clientOf(preset),
    secret: null,
    issuer: 'https://auth.example.org',
    title: 'Gatehouse',
  })
  const remarks = [
    ...(needs ? [messages.needs.replace('{name}', needs)] : []),
    ...notes.map((note) => messages.notes[note]),
  ]
  return page([
    `# Sign in to ${preset.name} with Gatehouse`,
    tried ? `Tried with ${tried}. ${source}` : `Not tried yet. ${source}`,
    ...(remarks.length > 0 ? [remarks.map((remark) => `- ${remark}`).join('\n')] : []),
    '## Register it',
    registerBlock(preset),
    ...(preset.url ? [WHERE] : []),
    'The console has it under “Applications”, “Register an application”. Either way it is registered like this:',
    table(['field', 'value'], fieldsOf(preset)),
    '## Copy the settings',
    'Replace `https://auth.example.org` by the address of Gatehouse, and what is in capitals by what the registration printed.',
    ...texts.flatMap((text, at) => textBlocks(text, settings[at].place)),
    '## If it does not work',
    'The page of the application in the console, and `client:show`, say what was refused in the last 24 hours and what allows it. More is under [troubleshooting](../troubleshooting.md).',
  ])
}

function clientOf(preset: Preset) {
  const { redirectUris, scopes, tokenEndpointAuthMethod } = registrationOf(preset, preset.url)
  const grantTypes = ['authorization_code' as const]
  return { clientId: 'CLIENT_ID', redirectUris, scopes, tokenEndpointAuthMethod, grantTypes }
}

function registerBlock({ id, url, group }: Preset) {
  const parts = [
    `npm run ace -- client:create --preset=${id}`,
    ...(group === 'frameworks' ? ['--name="My application"'] : []),
    ...(url ? [`--url=${url}`] : []),
  ]
  return block('sh', parts.join(' '))
}

function fieldsOf(preset: Preset): string[][] {
  const registration = registrationOf(preset, preset.url)
  const { redirectUris, postLogoutRedirectUris, backchannelLogoutUri } = registration
  const { auth, pkce, algorithm, scopes, client } = preset
  return [
    ['redirect address', addresses(redirectUris)],
    ...(postLogoutRedirectUris.length > 0
      ? [['address after a logout', addresses(postLogoutRedirectUris)]]
      : []),
    ...(backchannelLogoutUri ? [['back-channel logout', `\`${backchannelLogoutUri}\``]] : []),
    ['authentication at the token endpoint', METHODS[auth] ?? `\`${auth}\``],
    ['PKCE', PKCE[pkce]],
    ['ID token', algorithm],
    ['scopes', `\`${scopes.join(' ')}\``],
    ...(client?.refreshTokens === 'always'
      ? [['refresh tokens', 'always, because it does not ask for `offline_access`']]
      : []),
  ]
}

function addresses(uris: string[]) {
  return uris.map((uri) => `\`${uri}\``).join(', ')
}

function textBlocks({ file, format, text, fields }: CopiedText, place?: string) {
  const language = place === 'shell' ? 'sh' : (LANGUAGES[format] ?? format)
  const where = file ? `**${file}**:` : `${messages.places[place!]}:`
  if (text !== null) return [where, block(language, text)]
  const rows = fields.map(({ label, value }) => [label, `\`${value}\``])
  return [where, table(['field', 'value'], rows)]
}

function block(language: string, text: string) {
  return `\`\`\`${language}\n${text}\n\`\`\``
}

function table(head: string[], rows: string[][]) {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function page(blocks: string[]) {
  return `${blocks.join('\n\n')}\n`
}
