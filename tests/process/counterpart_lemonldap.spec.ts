import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { findPreset } from '#oidc/presets/preset'
import { settingsToCopy } from '#oidc/presets/settings_to_copy'
import { endWithSuite } from '#tests/support/children'
import { installPackages } from '#tests/support/debian'
import { freePort } from '#tests/support/free_port'
import { until } from '#tests/support/waiting'
import { temporaryFolder } from '#tests/support/temporary_folder'
import { typeCredentials, visit, withBrowser } from '../browser/visitor.ts'
import { IdentityProduct } from './identity_product.ts'
import { cleanEnvironment } from './product.ts'

/* LemonLDAP::NG from Debian, set up with the commands of its preset. It does not use PKCE. */

/** Includes what its portal loads at every start, although Debian only recommends it. */
const PACKAGES = [
  ...['lemonldap-ng', 'libemail-sender-perl', 'libmime-tools-perl', 'libcrypt-openssl-rsa-perl'],
  ...['libgd-securityimage-perl', 'libstring-random-perl', 'libimage-magick-perl'],
  ...['libplack-perl', 'libhtml-template-perl', 'libio-socket-ssl-perl', 'curl'],
]

const INI = '/etc/lemonldap-ng/lemonldap-ng.ini'
const CONFIGURATION = '/var/lib/lemonldap-ng/conf'
const PORTAL = '/usr/share/lemonldap-ng/portal/htdocs/index.psgi'

test.group('Counterpart | LemonLDAP::NG', (group) => {
  withBrowser(group)

  let gatehouse: IdentityProduct
  let folder: string
  let portal: ChildProcess | undefined
  let url: string

  /** Leaves the configuration of the machine unchanged. Its commands run as the web server. */
  function ownConfiguration() {
    cpSync(CONFIGURATION, join(folder, 'conf'), { recursive: true })
    const own = join(folder, 'lemonldap-ng.ini')
    writeFileSync(own, readFileSync(INI, 'utf8').replaceAll(CONFIGURATION, join(folder, 'conf')))
    execFileSync('chmod', ['-R', 'a+rwX', folder])
    return { ...cleanEnvironment(), LLNG_DEFAULTCONFFILE: own }
  }

  /** Sets what the portal's administrator types: its address, and the settings of the preset. */
  async function setUp(env: NodeJS.ProcessEnv) {
    const body = { preset: 'lemonldap-ng', url }
    const client = await gatehouse.request('/oauth-clients', { body })
    const here = { issuer: gatehouse.issuer, title: 'Gatehouse' }
    const preset = await findPreset('lemonldap-ng')
    const [{ text }] = settingsToCopy(preset!, { client, secret: client.clientSecret, ...here })
    const place = `cli set portal ${url}/ domain localhost securedCookie 0`
    const [definition, ...commands] = text!.split('\n')
    execFileSync('sh', ['-ec', [definition, place, ...commands].join('\n')], { env, stdio: 'pipe' })
  }

  group.setup(async () => {
    installPackages(...PACKAGES)
    folder = temporaryFolder('lemonldap')
    gatehouse = await IdentityProduct.start()
    const port = String(await freePort())
    url = `http://localhost:${port}`
    const env = ownConfiguration()
    await setUp(env)
    portal = endWithSuite(
      spawn('plackup', ['-p', port, '-o', '127.0.0.1', PORTAL], { env, stdio: 'ignore' })
    )
    await until(() => fetch(url, { redirect: 'manual' }).catch(() => null))
  })
  group.teardown(async () => {
    const closed = portal && once(portal, 'close')
    portal?.kill('SIGKILL')
    await closed
    await gatehouse?.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  test('signs a user in by the commands of its preset', async () => {
    const user = await gatehouse.newUser()
    const page = await visit()
    await page.goto(url)
    await typeCredentials(page, user.email)
    await page.getByText('Connected as').first().waitFor()
    await page.getByText(user.id).first().waitFor()
  })
})
