import { HealthChecks } from '@adonisjs/core/health'
import { DatabaseConnectionCheck } from '#health/checks/database_connection_check'
import { StoreConnectionCheck } from '#health/checks/store_connection_check'

// Load balancers ask `GET /health` every second, so it checks connections only; `doctor` checks the rest.

export const databaseConnection = new DatabaseConnectionCheck()
export const storeConnection = new StoreConnectionCheck()

export const healthChecks = new HealthChecks().register([databaseConnection, storeConnection])
