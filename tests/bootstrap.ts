import app from '@adonisjs/core/services/app'
import testUtils from '@adonisjs/core/services/test_utils'
import { assert } from '@japa/assert'
import { spec } from '@japa/runner/reporters'
import { apiClient } from '@japa/api-client'
import { pluginAdonisJS } from '@japa/plugin-adonisjs'
import { authApiClient } from '@adonisjs/auth/plugins/api_client'
import type { Group } from '@japa/runner/core'
import type { Config } from '@japa/runner/types'
import { createHttpServer } from '#http/server'
import { migrate } from '#database/migrate'
import { assertContractOfAnswers } from './support/contract.ts'
import { provedElsewhere } from './support/proved_on.ts'
import { countReporter } from './support/test_counts.ts'
import { progressReporter } from './support/test_progress.ts'
import { endChildren } from './support/children.ts'
import './support/statements.ts'

export const plugins: Config['plugins'] = [
  assert(),
  pluginAdonisJS(app),
  apiClient(`http://127.0.0.1:${process.env.PORT}`),
  authApiClient(app),
]

export const reporters: Config['reporters'] = {
  activated: process.env.TEST_COUNTS ? ['progress', 'spec', 'counts'] : ['progress', 'spec'],
  list: [spec(), progressReporter, countReporter],
}

export const exclude: Config['exclude'] = provedElsewhere()

export const runnerHooks: Required<Pick<Config, 'setup' | 'teardown'>> = {
  setup: [
    async () => {
      await migrate(app)
    },
  ],
  teardown: [],
}

/** These tests use ids of deleted and unknown clients, which count together for an address. */
function isOfApplications({ options }: Group) {
  return /[/\\](oidc|matrix)[/\\]/.test(options.meta.fileName ?? '')
}

async function forgiveUnknown() {
  const { clearUnknownClients } = await import('#oidc/clients/verify_secret')
  await clearUnknownClients('127.0.0.1')
}

let currentFile: string | undefined

/** Keeps each file from delivering the mails of earlier files or locking their administrators. */
function discardLeftovers(group: Group) {
  group.setup(async () => {
    const { fileName } = group.options.meta
    if (fileName === currentFile) return
    currentFile = fileName
    const { discardMails } = await import('./support/mail.ts')
    const { demoteAdmins } = await import('./support/admins.ts')
    await discardMails()
    await demoteAdmins()
  })
}

/** Functional and browser tests use the product over a real socket, as in production. */
export const configureSuite: Config['configureSuite'] = (suite) => {
  if (suite.name === 'functional' || suite.name === 'browser') {
    suite.setup(() => testUtils.httpServer().start(createHttpServer))
    suite.setup(() => assertContractOfAnswers())
    suite.onGroup((group) => void (isOfApplications(group) && group.each.setup(forgiveUnknown)))
    suite.onGroup(discardLeftovers)
  }
  if (suite.name === 'browser' || suite.name === 'process') {
    suite.teardown(async () => {
      const { closeBrowser } = await import('./browser/visitor.ts')
      endChildren()
      await closeBrowser()
    })
  }
}
