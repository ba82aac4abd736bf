import { HealthChecks } from '@adonisjs/core/health'
import { DatabaseConnectionCheck } from '#health/checks/database_connection_check'
import { StoreConnectionCheck } from '#health/checks/store_connection_check'

/*
 | What `GET /health` checks. Load balancers ask every second, so only the connections are
 | checked here; the checks of the `doctor` command are in `app/health/diagnostics.ts`.
 */

export const databaseConnection = new DatabaseConnectionCheck()
export const storeConnection = new StoreConnectionCheck()

export const healthChecks = new HealthChecks().register([databaseConnection, storeConnection])
