import { someEmail } from '#tests/support/users'
import { Browser } from '#tests/support/oidc'
import { APP_URL, useProxy } from '../../process/application.ts'
import { STORED_SETTINGS } from './stored_counterparts.ts'
import { outcomeOf } from './stored_users.ts'
import type { Installation } from '../../process/installation.ts'
import type { StoredKind } from './stored_kinds.ts'

/* Users who sign in at a provider. */

/** Signs in on the pages of the provider, and returns the answer, which contains the user. */
async function signInAtProvider(at: Installation, login: string) {
  const restore = useProxy(() => at.product.url)
  try {
    const [browser, atProvider] = [new Browser(), new Browser(STORED_SETTINGS.OIDC_ACME_ISSUER)]
    const start = await browser.open(`${APP_URL}/auth/external/acme`)
    const form = await atProvider.open(start.url)
    const fields = { prompt: 'login', login, password: 'any' }
    const consent = await atProvider.submit(form, /interaction/, fields)
    const { url } = await atProvider.submit(consent, /interaction/, { prompt: 'consent' })
    const { html, response } = await browser.open(url)
    return { status: response.status, body: JSON.parse(html) }
  } finally {
    restore()
  }
}

const ofProvider: StoredKind = {
  kept: '200 same id',
  async make(at) {
    const login = `ada-${someEmail().slice(5, 17)}`
    const first = await signInAtProvider(at, login)
    return async (elsewhere) => {
      const answer = await signInAtProvider(elsewhere, login)
      const isSame = answer.body.user?.id === first.body.user.id
      return `${outcomeOf(answer)} ${isSame ? 'same id' : 'another id'}`
    }
  },
}

/** The identity that signs the user in follows an identity of a provider that no longer exists. */
const secondIdentity: StoredKind = {
  kept: '200 same id',
  async make(at) {
    const login = `grace-${someEmail().slice(5, 17)}`
    const { body } = await signInAtProvider(at, login)
    const { id, email } = body.user
    const format = '--format=ndjson'
    const { stdout } = await at.command(['user:export', format, '--with-hashes', '--yes'])
    const row = JSON.parse(stdout.split('\n').find((line) => line.includes(id))!)
    const gone = { provider: 'gone', issuer: 'https://gone.example', subject: id }
    await at.asAdmin(`/users/${id}`, { method: 'DELETE' })
    const stdin = JSON.stringify({ ...row, email, identities: [gone, ...row.identities] })
    await at.command(['user:import', '-', format], stdin)
    return async (elsewhere) => {
      const answer = await signInAtProvider(elsewhere, login)
      return `${outcomeOf(answer)} ${answer.body.user?.id === id ? 'same id' : 'another id'}`
    }
  },
}

export const IDENTITIES: Record<string, StoredKind> = {
  'user of a provider': ofProvider,
  'second identity of a user': secondIdentity,
}
