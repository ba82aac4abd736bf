import { randomUUID } from 'node:crypto'
import { chmod, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from '@japa/runner'
import limits from '#config/limits'
import { SYSTEM } from '#audit/actor'
import { applyConfiguration } from '#configuration/apply/apply'
import { InvalidConfiguration } from '#configuration/document/file_error'
import { createGroup } from '#groups/groups'
import { findGroupByName } from '#groups/group_rows'
import { addServiceAccount } from '#users/service_accounts'
import { configurationFile } from '#tests/support/configuration'

async function errorsOf(...texts: string[]) {
  const files = await Promise.all(texts.map((text) => configurationFile(text)))
  try {
    await applyConfiguration(files, { actor: SYSTEM })
  } catch (error) {
    if (error instanceof InvalidConfiguration) return error
    throw error
  }
  throw new Error('the files have no fault')
}

const client = (more: string) => `clients:
  - clientId: app-${randomUUID()}
    redirectUris: [https://app.example.org/cb]
    ${more}
`

/** The position and the text of the first fault. Messages end with the remedy. */
const ROWS = [
  { what: 'a list for the file', text: '- a', at: '1 ', says: 'must have fields such as' },
  { what: 'an empty file', text: '', at: '1 ', says: 'or {} for none' },
  { what: 'an unknown list', text: 'client: []', at: '1 client', says: 'did you mean clients?' },
  { what: 'a text for a list', text: 'groups: x', at: '1 groups', says: 'must be a list' },
  {
    what: 'a text for an entry',
    text: 'groups:\n  - x',
    at: '2 groups.0',
    says: 'must have fields',
  },
  {
    what: 'a misspelt field',
    text: client('redirectUri: x'),
    at: '4 clients.0.redirectUri',
    says: 'did you mean redirectUris?',
  },
  {
    what: 'a field of the wrong type',
    text: client('allowHttp: perhaps'),
    at: '4 clients.0.allowHttp',
    says: 'true or false',
  },
  {
    what: 'an unknown choice',
    text: client('kind: fourth_party'),
    at: '4 clients.0.kind',
    says: 'one of first_party, third_party',
  },
  {
    what: 'an address that is refused',
    text: client('homeUrl: "ftp://app.example.org"'),
    at: '4 clients.0.homeUrl',
    says: 'https or http',
  },
  {
    what: 'a secret in the file',
    text: client('clientSecret: hunter2hunter2'),
    at: '4 clients.0.clientSecret',
    says: 'secretFrom: env:NAME',
  },
  {
    what: 'a secret of an unset variable',
    text: client('secretFrom: env:GATEHOUSE_UNSET'),
    at: '4 clients.0.secretFrom',
    says: 'GATEHOUSE_UNSET, which is not set',
  },
  {
    what: 'a secret of a missing file',
    text: client('secretFrom: file:none/secret'),
    at: '4 clients.0.secretFrom',
    says: 'does not exist',
  },
  {
    what: 'a secret of another kind',
    text: client('secretFrom: vault:x'),
    at: '4 clients.0.secretFrom',
    says: 'env:NAME or file:',
  },
  {
    what: 'a secret of nothing',
    text: client('secretFrom:'),
    at: '4 clients.0.secretFrom',
    says: 'env:NAME or file:',
  },
  {
    what: 'a group that is not there',
    text: client('allowedGroups: [no such group]'),
    at: '4 clients.0.allowedGroups.0',
    says: 'add it to groups',
  },
  {
    what: 'an account that is not there',
    text: client('serviceAccount: no such account'),
    at: '4 clients.0.serviceAccount',
    says: 'add it to serviceAccounts',
  },
  {
    what: 'an id of a metadata document',
    text: 'clients:\n  - clientId: https://app.example.org/client',
    at: '2 clients.0.clientId',
    says: 'not begin with https://',
  },
  {
    what: 'a group of a provider',
    text: 'groups:\n  - name: acme:staff',
    at: '2 groups.0.name',
    says: 'no colon',
  },
  {
    what: 'an unknown role',
    text: 'serviceAccounts:\n  - username: x\n    role: King',
    at: '3 serviceAccounts.0.role',
    says: 'one of',
  },
  { what: 'a tab', text: 'groups:\n\t- name: x', at: '2 ', says: 'use blanks' },
  { what: 'two documents', text: 'a: 1\n---\nb: 2', at: '2 ', says: 'several documents' },
  { what: 'a tag', text: 'groups: !secret x', at: '1 ', says: 'Tags' },
  { what: 'a field twice', text: 'groups: []\ngroups: []', at: '2 groups', says: 'twice' },
  { what: 'the name __proto__', text: '__proto__: {}', at: '1 __proto__', says: 'No field' },
  {
    what: 'a field with a long name',
    text: `groups:\n  - ${'k'.repeat(201)}: x`,
    at: '2 groups.0',
    says: 'at most 200 characters',
  },
  { what: 'an unknown alias', text: 'groups: *x', at: '1 groups', says: 'nothing above' },
  { what: 'an alias of itself', text: 'groups: &x [*x]', at: '1 groups.0', says: 'nothing above' },
  {
    what: 'a deep tree',
    text: `groups: ${'['.repeat(30)}${']'.repeat(30)}`,
    at: '1 ',
    says: 'too deep',
  },
  { what: 'a missing quote', text: 'groups: "x', at: '1 ', says: 'A quote' },
]

test.group('Configuration files | faults', () => {
  test('{what} is told with line, field and remedy')
    .with(ROWS)
    .run(async ({ assert }, { text, at, says }) => {
      const { errors, message } = await errorsOf(text)
      const [{ file, line, field, message: what }] = errors
      assert.equal(`${line} ${field}`, at, message)
      assert.include(what, says)
      assert.include(message, `${file}:${line}:`)
      assert.notInclude(message, 'hunter2')
    })

  test('all errors of all files are told at once, and nothing is applied', async ({ assert }) => {
    const name = `Staff ${randomUUID()}`
    const good = `groups: [{ name: ${name} }]`
    const { errors } = await errorsOf(good, client('kind: x\n    access: y'), 'groups: x')
    assert.lengthOf(errors, 3)
    assert.isNull(await findGroupByName(name))
  })

  test('one record in two files is a fault of the second', async ({ assert }) => {
    const name = `Staff ${randomUUID()}`
    const { errors } = await errorsOf(
      `groups: [{ name: ${name} }]`,
      `groups: [{ name: ${name.toUpperCase()} }]`
    )
    assert.match(errors[0].message, /is in .*\.yaml:1 already: remove one of them/)
  })

  test('a username of two service accounts is a fault', async ({ assert }) => {
    const username = `robot-${randomUUID()}`
    await addServiceAccount({ username }, SYSTEM)
    await addServiceAccount({ username }, SYSTEM)
    const { errors } = await errorsOf(`serviceAccounts: [{ username: ${username} }]`)
    assert.include(errors[0].message, 'rename all but one')
  })

  test('a refusal in the middle undoes what came before', async ({ assert }) => {
    const [name, { id }] = [
      `Staff ${randomUUID()}`,
      await createGroup({ name: randomUUID() }, SYSTEM),
    ]
    const account = await addServiceAccount({ username: 'Robot' }, SYSTEM)
    const text = `groups: [{ name: ${name} }]\nclients: [{ clientId: '${account.id}', redirectUris: [https://a.example.org] }]`
    const { errors } = await errorsOf(text)
    assert.include(errors[0].message, 'client ID is taken')
    assert.equal(errors[0].field, 'clients.0')
    assert.isNull(await findGroupByName(name))
    assert.exists(id)
  })
})

test.group('Configuration files | hostile files', () => {
  test('a billion laughs are refused at once', async ({ assert }) => {
    const levels = Array.from({ length: 9 }, (_, at) => {
      const before = at === 0 ? 'lol' : `*a${at - 1}`
      return `a${at}: &a${at} [${Array.from({ length: 10 }, () => before).join(', ')}]`
    })
    const startedAt = performance.now()
    const { errors } = await errorsOf(levels.join('\n'))
    assert.include(errors[0].message, `more than ${limits.configurationNodes} values`)
    assert.isBelow(performance.now() - startedAt, 10_000)
  })

  test('a file of 10 MB is refused unread', async ({ assert }) => {
    const { errors } = await errorsOf('#'.repeat(10_485_760))
    assert.equal(errors[0].message, 'The file is larger than 2 MB')
  })

  test('a hundred thousand brackets are refused', async ({ assert }) => {
    const { errors } = await errorsOf(`groups: ${'['.repeat(100_000)}`)
    assert.isNotEmpty(errors)
  })

  test('bytes that are no text are refused', async ({ assert }) => {
    const file = await configurationFile('')
    await writeFile(file, Buffer.from([0x67, 0xff, 0xfe, 0x00]))
    const apply = () => applyConfiguration([file], { actor: SYSTEM })
    await assert.rejects(apply, /is not UTF-8 text/)
  })

  test('a folder, a device and a missing file are refused', async ({ assert }) => {
    const folder = dirname(await configurationFile(''))
    const missing = join(folder, 'missing.yaml')
    const error: InvalidConfiguration = await applyConfiguration([folder, '/dev/zero', missing], {
      actor: SYSTEM,
    }).then(
      () => assert.fail('they were read'),
      (refused) => refused
    )
    assert.deepEqual(
      error.errors.map(({ message }) => message),
      ['The file is a folder', 'The file is no regular file', 'The file does not exist']
    )
  })

  test('a weak secret is refused and not shown', async ({ assert }) => {
    const file = await configurationFile(client('secretFrom: file:secret'))
    await writeFile(join(dirname(file), 'secret'), 'hunter2hunter2\n')
    await chmod(join(dirname(file), 'secret'), 0o600)
    const error = await applyConfiguration([file], { actor: SYSTEM }).then(
      () => assert.fail('it was taken'),
      (refused) => refused
    )
    assert.include(error.message, '32 to 256 printable')
    assert.notInclude(error.message, 'hunter2')
  })
})
