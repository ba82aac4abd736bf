import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REDIRECT_URI, type Algorithm, type Client, type Clients } from './application.ts'
import { PASSWORD, USERS } from './service.ts'
import { newClients, type Target } from './targets.ts'
import type { Postgres } from '../tests/servers/postgres.ts'

/*
 | Keycloak beside the product, where this machine has Java: from `KEYCLOAK_HOME`, or from the
 | archive that Maven fetches once. It runs as its guide for production says, on the Postgres of
 | the run, with one realm.
 */

const VERSION = '26.7.3'
const FOLDER = join(import.meta.dirname, 'build/keycloak')
const ARTIFACT = `org.keycloak:keycloak-quarkus-dist:${VERSION}:zip`

function run(program: string, args: string[]) {
  const { status, error, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(error?.message ?? `${program} failed. ${stderr.slice(-300)}`)
}

function findKeycloak() {
  run('java', ['-version'])
  if (process.env.KEYCLOAK_HOME) return process.env.KEYCLOAK_HOME
  const home = join(FOLDER, `keycloak-${VERSION}`)
  if (existsSync(home)) return home
  mkdirSync(FOLDER, { recursive: true })
  const copy = ['dependency:copy', `-Dartifact=${ARTIFACT}`, `-DoutputDirectory=${FOLDER}`]
  run('mvn', ['-q', '-B', ...copy])
  run('unzip', ['-q', join(FOLDER, `keycloak-quarkus-dist-${VERSION}.zip`), '-d', FOLDER])
  return home
}

/** Keycloak gives a client information only on tokens that name it as their audience. */
function ownAudience(clientId: string) {
  const config = { 'included.client.audience': clientId, 'access.token.claim': 'true' }
  const name = 'own-audience'
  return { name, protocol: 'openid-connect', protocolMapper: 'oidc-audience-mapper', config }
}

function writeRealm(home: string, clients: Clients) {
  const application = ({ id, secret }: Client, algorithm: Algorithm) => ({
    clientId: id,
    secret,
    redirectUris: [REDIRECT_URI],
    attributes: { 'id.token.signed.response.alg': algorithm },
    protocolMappers: [ownAudience(id)],
  })
  const machine = {
    clientId: clients.machine.id,
    secret: clients.machine.secret,
    standardFlowEnabled: false,
    serviceAccountsEnabled: true,
  }
  const folder = join(home, 'data/import')
  mkdirSync(folder, { recursive: true })
  const realm = {
    realm: 'bench',
    enabled: true,
    sslRequired: 'none',
    accessTokenLifespan: 3_600,
    clients: [
      application(clients.RS256, 'RS256'),
      application(clients.ES256, 'ES256'),
      application(clients.lasting, 'ES256'),
      machine,
    ],
    users: peopleOf().map((email) => ({
      username: email,
      email,
      ...{ firstName: 'Ada', lastName: 'Lovelace', emailVerified: true, enabled: true },
      credentials: [{ type: 'password', value: PASSWORD }],
    })),
  }
  writeFileSync(join(folder, 'bench-realm.json'), JSON.stringify(realm))
}

const peopleOf = () => Array.from({ length: USERS }, (_, at) => `user${at + 1}@example.org`)

/** @throws when Java or the archive is missing */
export async function keycloakTarget(postgres: Postgres): Promise<Target> {
  const [home, clients] = [findKeycloak(), newClients()]
  const database = await postgres.createDatabase('bench_keycloak')
  writeRealm(home, clients)
  const { hostname, port, pathname, username } = new URL(database)
  const paths = '/realms/bench/protocol/openid-connect'
  return {
    name: 'keycloak',
    title: `Keycloak ${VERSION}, Postgres`,
    role: 'provider',
    program: join(home, 'bin/kc.sh'),
    command: ['start', '--http-enabled=true', '--cache=local', '--import-realm'],
    health: '/realms/bench/.well-known/openid-configuration',
    warmUpSeconds: 10,
    env: {
      KC_DB: 'postgres',
      KC_DB_URL: `jdbc:postgresql://${hostname}:${port}${pathname}`,
      KC_DB_USERNAME: username,
      KC_HTTP_HOST: '127.0.0.1',
    },
    portVariables: { port: 'KC_HTTP_PORT', url: 'KC_HOSTNAME' },
    database: pathname.slice(1),
    api: { profile: '/', credentials: () => ({}) },
    openid: {
      authorize: `${paths}/auth`,
      token: `${paths}/token`,
      userinfo: `${paths}/userinfo`,
      introspection: `${paths}/token/introspect`,
      clients,
      hasNoOfflineScope: true,
    },
  }
}
