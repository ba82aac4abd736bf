import { test } from '@japa/runner'
import { parameterProblem, readPostgresAddress } from '#database/postgres_address'

const ADDRESS = 'postgres://gatehouse:p%40ss@db.example/gatehouse'

test.group('Address of Postgres', () => {
  test('{address} reaches the driver as it is')
    .with([
      { address: ADDRESS },
      { address: `${ADDRESS}?sslmode=require` },
      { address: 'postgres:///gatehouse?host=%2Fvar%2Frun%2Fpostgresql' },
      { address: '/var/run/postgresql gatehouse' },
    ])
    .run(({ assert }, { address }) => {
      assert.deepEqual(readPostgresAddress(address), {
        connectionString: address,
        poolSize: 10,
        preparedStatements: 'auto',
        replica: null,
      })
    })

  test('our parameters are taken from the address of the driver', ({ assert }) => {
    const address = `${ADDRESS}?pool=20&sslmode=require&prepared_statements=off`
    assert.deepEqual(readPostgresAddress(address), {
      connectionString: `${ADDRESS}?sslmode=require`,
      poolSize: 20,
      preparedStatements: 'off',
      replica: null,
    })
  })

  test('replica={replica} is {read}')
    .with([
      { replica: 'standby', read: 'postgres://gatehouse:p%40ss@standby/gatehouse' },
      { replica: 'standby:5433', read: 'postgres://gatehouse:p%40ss@standby:5433/gatehouse' },
      { replica: '[::1]:5433', read: 'postgres://gatehouse:p%40ss@[::1]:5433/gatehouse' },
      { replica: 'standby/copy', read: 'postgres://gatehouse:p%40ss@standby/copy' },
    ])
    .run(({ assert }, { replica, read }) => {
      assert.equal(readPostgresAddress(`${ADDRESS}?replica=${replica}`).replica, read)
    })

  test('{parameter} is {outcome}')
    .with([
      { parameter: 'pool=1', outcome: 'refused' },
      { parameter: 'pool=2', outcome: 'taken' },
      { parameter: 'pool=200', outcome: 'taken' },
      { parameter: 'pool=201', outcome: 'refused' },
      { parameter: 'pool=ten', outcome: 'refused' },
      { parameter: 'prepared_statements=on', outcome: 'taken' },
      { parameter: 'prepared_statements=true', outcome: 'refused' },
      { parameter: 'replica=standby:5432/gatehouse', outcome: 'taken' },
      { parameter: 'replica=postgres://standby', outcome: 'refused' },
      { parameter: 'replica=', outcome: 'refused' },
    ])
    .run(({ assert }, { parameter, outcome }) => {
      const problem = parameterProblem(`${ADDRESS}?${parameter}`)
      assert.equal(problem ? 'refused' : 'taken', outcome)
      assert.notInclude(problem ?? '', 'p%40ss')
    })
})
