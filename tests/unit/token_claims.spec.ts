import { test } from '@japa/runner'
import { tokenClaims } from '#setup/environment/token_claims_rules'

const read = (value?: string) => tokenClaims()('TOKEN_CLAIMS', value)

const NAMES = [
  'iss sub aud exp nbf iat jti azp nonce auth_time acr amr at_hash c_hash s_hash sid cnf',
  'client_id scope act may_act events email email_verified role claims_hash',
  '__proto__ constructor prototype',
].flatMap((names) => names.split(' '))

test.group('TOKEN_CLAIMS', () => {
  test('nothing is the default', ({ assert }) => {
    assert.deepEqual(read(), {})
    assert.deepEqual(read(' '), {})
  })

  test('an entry is a name and a source', ({ assert }) => {
    const value = 'dept:appMetadata.dept, teams:groups:team:a,https://a.example/g:groups,env:=a:b'
    assert.deepEqual(read(value), {
      'dept': 'appMetadata.dept',
      'teams': 'groups:team:a',
      'https://a.example/g': 'groups',
      'env': '=a:b',
    })
  })

  test('{name} may be set')
    .with(['name', 'preferred_username', 'nickname', 'groups', 'roles'].map((name) => ({ name })))
    .run(({ assert }, { name }) => {
      assert.deepEqual(read(`${name}:id`), { [name]: 'id' })
    })

  test('{name} may not be set')
    .with(NAMES.map((name) => ({ name })))
    .run(({ assert }, { name }) => {
      const entry = new RegExp(`^TOKEN_CLAIMS has the entry "${name}:id", .+: take a name`)
      assert.throws(() => read(`uid:id,${name}:id`), entry)
    })

  test('{entry} names no source')
    .with(
      ['dept', 'dept:', 'dept:metadata.dept', 'dept:appMetadata', 'dept:groups:', 'dept:Id'].map(
        (entry) => ({ entry })
      )
    )
    .run(({ assert }, { entry }) => {
      assert.throws(() => read(entry), new RegExp(`"${entry}", .+: write name:source with id, `))
    })

  test('a name that cannot be printed is refused', ({ assert }) => {
    for (const name of ['', 'déjà', 'a b', 'x'.repeat(129)])
      assert.throws(() => read(`${name}:id`), /take a name of printable ASCII/)
  })

  test('a claim that comes twice is refused', ({ assert }) => {
    assert.throws(() => read('a:id,a:email'), /"a:email", .+: remove one/)
  })

  test('{count} entries: {outcome}')
    .with([
      { count: 19, outcome: 'read' },
      { count: 20, outcome: 'read' },
      { count: 21, outcome: 'refused' },
    ])
    .run(({ assert }, { count, outcome }) => {
      const value = Array.from({ length: count }, (_, at) => `c${at}:id`).join(',')
      if (outcome === 'read') assert.lengthOf(Object.keys(read(value)), count)
      else assert.throws(() => read(value), /has 21 entries: keep at most 20/)
    })

  test('a source of {length} characters: {outcome}')
    .with([
      { length: 1_023, outcome: 'read' },
      { length: 1_024, outcome: 'read' },
      { length: 1_025, outcome: 'refused' },
    ])
    .run(({ assert }, { length, outcome }) => {
      const value = `a:=${'x'.repeat(length - 1)}`
      if (outcome === 'read') assert.property(read(value), 'a')
      else assert.throws(() => read(value), /source is too long: keep it to 1024 characters/)
    })
})
