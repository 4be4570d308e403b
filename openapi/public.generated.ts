// Generated from the document beside it by `npm run api:types`; not edited by hand.

export interface paths {
    "/api/max-supply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Maximum supply
         * @description Maximum supply of the native token in whole tokens. It never changes.
         */
        get: operations["getMaxSupply"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/circulating-supply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Circulating supply
         * @description Circulating supply of the native token in whole tokens, now, or of another month or day, past or future. It changes at 00:00:00 UTC of each month's step day; until then it is the previous month's figure. After the last step of the schedule the last figure stays.
         */
        get: operations["getCirculatingSupply"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/circulating-supply-daily": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Circulating supply of the day
         * @description What the schedule has unlocked at 00:00:00 UTC of a day, today without a parameter. Phases that count days (linear ones, and installments by days) change it every day; everything else changes it at the month's step, where it equals `/api/circulating-supply`. `month` is refused. Offered where a phase counts days.
         */
        get: operations["getDailyCirculatingSupply"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/circulating-supply-on-chain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Circulating supply on chain
         * @description What exists on chain and is not held by the project: the total supply less the balances of every wallet that the schedule lists, unlocked or not, staked or not, all read at one ledger version. `/api/circulating-supply` is what the published schedule has unlocked. Never without a wallet: while one was never read, or could not be read for an hour, the answer is 503 and names it. 404 where the schedule lists no wallet of the project, or one on another chain.
         */
        get: operations["getCirculatingSupplyOnChain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/circulating-supply-hybrid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Circulating supply by chain and schedule
         * @description What exists on chain and is neither in a listed wallet nor locked: `/api/circulating-supply-on-chain` less what allocations without a listed wallet must keep locked today, by the published schedule. Phases that count days unlock day by day, everything else at the month's step. Before the schedule's start all of such an allocation is locked. Wallets and their ages are those of `/api/circulating-supply-on-chain`. 503 while the result would be less than one token or above the maximum. 404 where there is no circulating supply on chain, or the schedule locks nothing in an allocation without a wallet, beside one with a wallet.
         */
        get: operations["getHybridCirculatingSupply"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/circulating-supply-above-plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Circulating supply above plan
         * @description How much more circulates on chain than the published schedule allows now, of one reading with `/api/circulating-supply-on-chain`; 0 while it is not more. What an allocation that lists no wallet must keep locked is not above plan. Before the schedule's start all allocations are locked. 404 where there is no circulating supply on chain, or no allocation with locked tokens lists a wallet.
         */
        get: operations["getCirculatingSupplyAbovePlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/total-supply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Total supply
         * @description Current on-chain supply of the native token in whole tokens, read from a chain node, less the burned supply. Of a token on several chains: the sum of those where it is issued; what is bridged stands for tokens of another chain. While a chain cannot be read the last figure stands for an hour, then the answer is 503.
         */
        get: operations["getTotalSupply"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/burned-supply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Burned supply
         * @description The balances of the wallets whose category is `burn`, read at one ledger version, with the constants of that category. The total supply is less by them. 404 where the schedule lists neither.
         */
        get: operations["getBurnedSupply"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/burned-by-contract": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Burned by the contract
         * @description Of a token whose whole maximum was minted once, as its schedule states: how much of it the contract has burned since, the maximum less what exists on chain. `/api/burned-supply` is what burn wallets hold, which exists on chain; the two never overlap. 404 where the schedule does not state it.
         */
        get: operations["getBurnedByContract"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/escrow-shortfall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Escrow shortfall
         * @description Of a token that is bridged to other chains: how much more exists there than is locked for it in the escrows, of one reading of all its chains; 0 while everything is backed. What one escrow has to spare covers none of another's. 404 where the token is bridged nowhere.
         */
        get: operations["getEscrowShortfall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staked-supply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Staked supply
         * @description The native token's stake that earns rewards in the current epoch, in whole tokens: `total_voting_power` of the chain's validator set, of the same reading as the other figures of the chain. 404 where native staking is not read.
         */
        get: operations["getStakedSupply"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/staked-percent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Staked share of the total supply
         * @description `/api/staked-supply` as a share of `/api/total-supply`, in percent, rounded down to five decimals, of one reading. 404 where native staking is not read.
         */
        get: operations["getStakedPercent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/yearly-emission": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Yearly emission of native staking
         * @description What a year of 365 days mints at most at the present reward rate, in whole tokens: the stake of `/api/staked-supply` times the reward of one epoch times the epochs of a year, all of one reading. 404 where native staking is not read.
         */
        get: operations["getYearlyEmission"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stable-supply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stable token supply
         * @description Current on-chain supply of the stable token in whole tokens, read from a chain node. A token in two forms (a coin and its fungible asset) is counted once. 404 where the deployment has no stable token.
         */
        get: operations["getStableSupply"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/supply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every supply figure, exact
         * @description Maximum, total, circulating and locked supply in tokens and base units as decimal strings, and the next unlock. A figure that could not be read from its upstream is null, with the reason in `unavailable`. `Age` is the age of the figures read from the chain; the token's name, symbol and decimals are in `/api/allocations`.
         */
        get: operations["getSupply"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/unlock-schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The unlock schedule, month by month
         * @description Every step of the published schedule, past and future, per bucket.
         */
        get: operations["getUnlockSchedule"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/unlock-schedule.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The unlock schedule as CSV
         * @description The same rows: month, effective_from, circulating (whole tokens), circulating_base_units, one column per bucket in the unit requested, then token, decimals and unit.
         */
        get: operations["getUnlockScheduleCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Yield products
         * @description Current yield products and their rates in percent. null means unknown, 0 means none. A filter compares without regard to case; 404 when no product matches.
         */
        get: operations["getRates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One yield product
         * @description The product's row of `/api/rates`, or one value of it as a bare number.
         */
        get: operations["getRate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Health of this service
         * @description Reachability of the upstreams, age of each figure, and current problems.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document
         * @description The description of this API, version 1.
         */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/allocations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The allocations and how each unlocks
         * @description Per bucket: allocation, share of the maximum, unlock rules in calendar dates, what is unlocked and locked now, the next unlock, and where the locked tokens are.
         */
        get: operations["getAllocations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/unlock-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every unlock, past and future
         * @description Every change of the circulating figure. The sum of the amounts up to an instant is the circulating figure at that instant.
         */
        get: operations["getUnlockEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/unlock-events.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every unlock as CSV
         * @description One row per unlock, bucket and kind (quoted as in RFC 4180, lines end in LF): at, bucket, label, category, kind, amount in tokens and in base units, then the circulating figure after the unlock, the token and its decimals.
         */
        get: operations["getUnlockEventsCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/unlock-events.ics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Every unlock as a calendar
         * @description An iCalendar feed (RFC 5545) to subscribe to: one event per unlock. A new revision of the schedule updates the events already in a calendar.
         */
        get: operations["getUnlockEventsCalendar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/supply-breakdown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Total supply minus the locked wallets, read from the chain
         * @description The balances of every wallet in `/api/allocations` and the total, all of one reading of the chain at one ledger version, compared with the schedule. Circulating on chain, held by the wallets and burned add up to what was minted. Renewed every 30 seconds while it is requested, less often with more than 40 wallets, and every hour. While a listed wallet was never read, could not be read for an hour, or is on another chain, the answer is 503 and names it. It is 503 as well where the burn wallets hold all that exists. Of a token on several chains `chains` has each, with its own version; while one cannot be read for an hour, the answer is 503 with the rows of the others.
         */
        get: operations["getSupplyBreakdown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What the page and the embeds show, in one document
         * @description The bodies of `/api/supply`, `/api/supply-breakdown` and `/api/rates` at one instant, with all figures of the chain of one reading. It has a limit of its own, which thousands of readers behind one address share, so that an open page costs no caller a request. `Age` is that of the oldest member.
         */
        get: operations["getPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/page/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The recorded days that the page shows
         * @description Total and non-circulating supply of each day of the last year, in base units: the rows of `/api/history` that the page draws, under the limit of `/api/page`.
         */
        get: operations["getPageHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Figures read from the chain, day by day
         * @description One row per UTC day and figure.
         */
        get: operations["getHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/history.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Figures read from the chain, as CSV
         * @description The same rows.
         */
        get: operations["getHistoryCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/rates/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One yield product, day by day
         * @description One row per UTC day.
         */
        get: operations["getRateHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feed.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * News about the schedule and the service
         * @description An Atom feed (RFC 4287): revisions of the schedule, unlocks that took place, changes of health.
         */
        get: operations["getFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/badge/{figure}.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A figure as a badge
         * @description For the shields.io endpoint badge; `/badge/{figure}.svg` is the same as an image.
         */
        get: operations["getBadge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/badge/apy:{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One yield product as a badge
         * @description The APY of one product in the same form; also an image at `/badge/apy:{id}.svg`.
         */
        get: operations["getProductBadge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Whole tokens. */
        WholeTokens: number;
        /** @description Whole tokens, digits only. */
        Digits: string;
        ResultForm: {
            result: components["schemas"]["Digits"];
        };
        /** @description An exact amount in tokens. */
        Decimal: string;
        /** @description An exact amount in base units. */
        BaseUnits: string;
        Month: string;
        /** Format: date-time */
        Instant: string;
        Amount: {
            tokens: components["schemas"]["Decimal"];
            base_units: components["schemas"]["BaseUnits"];
        };
        Error: {
            message: string;
            /** @enum {string} */
            error_code: "not_found" | "method_not_allowed" | "rate_limited" | "service_unavailable" | "invalid_input" | "unsupported_version" | "version_removed";
        };
        Supply: {
            max: components["schemas"]["Amount"];
            total: components["schemas"]["Amount"] | null;
            /** @description What the published schedule has unlocked, as `/api/circulating-supply`. */
            circulating: components["schemas"]["Amount"];
            /** @description Maximum minus circulating. */
            locked: components["schemas"]["Amount"];
            /** @description Circulating supply as a percentage of the maximum, rounded down. */
            circulating_percent: string;
            month: components["schemas"]["Month"];
            effective_from: components["schemas"]["Instant"];
            next_unlock: {
                at: components["schemas"]["Instant"];
                amount: components["schemas"]["Amount"];
                buckets: {
                    id: string;
                    label: string;
                    amount: components["schemas"]["Amount"];
                }[];
            } | null;
            schedule_revision: number;
            /** @description What exists on chain and is not held by the project, as `/api/circulating-supply-on-chain`. */
            circulating_on_chain: components["schemas"]["Amount"] | null;
            /** @description As `/api/circulating-supply-above-plan`. */
            circulating_above_plan: components["schemas"]["Amount"] | null;
            /** @description As `/api/burned-supply`. */
            burned: components["schemas"]["Amount"] | null;
            /** @description Maps the name of a missing figure to the reason. */
            unavailable: {
                [key: string]: string;
            };
            /** @description Of a token on several chains: the version of each, by its name in the schedule's file; null: unknown. Absent for a token on one. */
            ledger_versions?: {
                [key: string]: string;
            } | null;
        };
        UnlockSchedule: {
            token: {
                symbol: string;
                name: string;
                decimals: number;
            };
            max_supply: components["schemas"]["Amount"];
            revision: number;
            sources: {
                title: string;
                /** Format: uri */
                url: string;
            }[];
            /** Format: uri */
            methodology: string | null;
            rows: {
                month: components["schemas"]["Month"];
                effective_from: components["schemas"]["Instant"];
                circulating: components["schemas"]["Amount"];
                buckets: {
                    [key: string]: components["schemas"]["BaseUnits"];
                };
            }[];
            /** @description null: this build has no file. */
            file: {
                /** @description The published file that every figure of the schedule is computed from, on this host. */
                path: string;
                /** @description SHA-256 of its bytes. */
                sha256: string;
            } | null;
        };
        Rates: {
            as_of: components["schemas"]["Instant"];
            /** @description Number of products in `data`. */
            count: number;
            data: components["schemas"]["YieldProduct"][];
        };
        /** @description Percent: 5.25 means 5.25 %. At most five decimals; null is unknown, 0 is none. */
        Percent: number | null;
        YieldProduct: {
            /** @description Unique in the listing and stable over time. */
            id: string;
            name: string;
            /**
             * @description null: the listing does not state the kind of product.
             * @enum {string|null}
             */
            kind: "staking" | "liquid_staking" | "lending" | "vault" | "savings" | "liquidity" | null;
            /** @description Provider of the product. */
            provider: string | null;
            url: string | null;
            /** @description The chain that the product is on, as the listing names it. */
            chain: string | null;
            asset: {
                symbol: string;
                address: string | null;
                decimals: number | null;
            };
            /** @description What `apy_reward` is paid in: addresses or symbols. Empty: nothing is paid; null: unknown. */
            reward_assets: string[] | null;
            apy: components["schemas"]["Percent"];
            apy_base: components["schemas"]["Percent"];
            apy_reward: components["schemas"]["Percent"];
            apr: components["schemas"]["Percent"];
            /** @description How often the yield is added to the principal; 0: never, null: unknown. */
            compounds_per_year: number | null;
            /**
             * @description null: not stated by the listing.
             * @enum {string|null}
             */
            rate_type: "variable" | "fixed" | null;
            /**
             * @description The period over which the rate was measured; spot: the current rate. null: unknown.
             * @enum {string|null}
             */
            window: "spot" | "24h" | "7d" | "30d" | null;
            /** @description Mean of the recorded `apy` of the last 7 days; null while fewer than 6 of them have one. */
            apy_mean_7d: components["schemas"]["Percent"];
            /** @description Mean of the recorded `apy_base` of the last 7 days; null while fewer than 6 of them have one. */
            apy_mean_7d_base: components["schemas"]["Percent"];
            /** @description Mean of the recorded `apy_reward` of the last 7 days; null while fewer than 6 of them have one. */
            apy_mean_7d_reward: components["schemas"]["Percent"];
            /** @description What the listing says itself, where it does; else the mean of the recorded `apy` of the last 30 days, null while fewer than 25 of them have one. */
            apy_mean_30d: components["schemas"]["Percent"];
            /** @description Mean of the recorded `apy_base` of the last 30 days; null while fewer than 25 of them have one. */
            apy_mean_30d_base: components["schemas"]["Percent"];
            /** @description Mean of the recorded `apy_reward` of the last 30 days; null while fewer than 25 of them have one. */
            apy_mean_30d_reward: components["schemas"]["Percent"];
            /** @description Mean of the recorded `apy` of the last 90 days; null while fewer than 75 of them have one. */
            apy_mean_90d: components["schemas"]["Percent"];
            /** @description Mean of the recorded `apy_base` of the last 90 days; null while fewer than 75 of them have one. */
            apy_mean_90d_base: components["schemas"]["Percent"];
            /** @description Mean of the recorded `apy_reward` of the last 90 days; null while fewer than 75 of them have one. */
            apy_mean_90d_reward: components["schemas"]["Percent"];
            /** @description Mean of the recorded `apy` of the last 365 days; null while fewer than 305 of them have one. */
            apy_mean_365d: components["schemas"]["Percent"];
            /** @description Mean of the recorded `apy_base` of the last 365 days; null while fewer than 305 of them have one. */
            apy_mean_365d_base: components["schemas"]["Percent"];
            /** @description Mean of the recorded `apy_reward` of the last 365 days; null while fewer than 305 of them have one. */
            apy_mean_365d_reward: components["schemas"]["Percent"];
            /**
             * @description Whose mean `apy_mean_30d` is: the listing's, or that of `/api/rates/{id}/history`. null: there is none.
             * @enum {string|null}
             */
            apy_mean_30d_source: "listing" | "history" | null;
            /** @description Change of `apy` over the last 7 days, in percentage points: as the listing says, else against the recorded row of 7 days ago. */
            apy_change_7d: components["schemas"]["Percent"];
            /** @description Total value locked, in whole units of the asset. */
            tvl: string | null;
            /** @description Total value locked, in US dollars. */
            tvl_usd: number | null;
            /** @description The smallest deposit, in whole units of the asset. */
            min_deposit: string | null;
            /** @description How long a deposit cannot be withdrawn; 0: not locked, null: unknown. */
            lockup_seconds: number | null;
            /** @description The wait between a withdrawal's request and its payment; 0: none, null: unknown. */
            cooldown_seconds: number | null;
            /**
             * @description stale: `stale_after` has passed without a newer reading; what the product pays now is unknown.
             * @enum {string}
             */
            status: "active" | "paused" | "deprecated" | "stale";
            /** @description When the rates were observed, in UTC. */
            as_of: components["schemas"]["Instant"] | null;
            /** @description From this instant on the row is out of date, and its `status` is `stale`. */
            stale_after: components["schemas"]["Instant"] | null;
            /** @description Source of the row; sample: invented, on development chains only. */
            source: string;
            /** @description Whether the listing's operator recommends this product. */
            featured: boolean;
            /** @description Position in the listing's own order; null: after all numbered rows. */
            order: number | null;
            /** @description Only of the product `native-staking` where it is computed from the chain. true: `apr` and `apy` are what an epoch pays at full performance, before the commission of the pool's operator. */
            gross?: boolean;
            /** @description Only of the product `native-staking` where it is computed from the chain. The commission that `apr_net` and `apy_net` assume; null: none is assumed. */
            commission_percent?: components["schemas"]["Percent"];
            /** @description Only of the product `native-staking` where it is computed from the chain. `apr` after that commission. */
            apr_net?: components["schemas"]["Percent"];
            /** @description Only of the product `native-staking` where it is computed from the chain. `apy` after that commission, which is taken of every epoch's reward. */
            apy_net?: components["schemas"]["Percent"];
            /** @description Only of the product `native-staking` where it is computed from the chain. The stake that earns rewards in the current epoch, in tokens. */
            staked?: string;
            /** @description Only of the product `native-staking` where it is computed from the chain. `staked` as a share of the total supply. */
            staked_percent?: components["schemas"]["Percent"];
            /** @description Only of the product `native-staking` where it is computed from the chain. What a year at this rate mints at most for this stake, in tokens. */
            yearly_emission?: string;
            /** @description Only of the product `native-staking` where it is computed from the chain. The formula and everything that goes into it, all read at one ledger version, so that anyone can recompute it from any node. */
            methodology?: {
                formula: string;
                /** @description Of the view `0x1::staking_config::reward_rate`. */
                numerator: string;
                /** @description Of the same view. */
                denominator: string;
                /** @description The view `0x1::block::get_epoch_interval_secs`. */
                epoch_seconds: number;
                epochs_per_year: number;
                /** @description `total_voting_power` of the resource `0x1::stake::ValidatorSet`. */
                staked_base_units: string;
                ledger_version: string;
            };
            share_price?: components["schemas"]["SharePriceGrowth"];
        };
        /** @description Only of products whose yield is the growth of a share's price: the view that reports the price, the prices, and the formula, so that anyone can recompute the yield from any node. */
        SharePriceGrowth: {
            /** @description Id of the chain that the contract is on; `native` is the first chain of the token. */
            chain: string;
            /** @description Address of the contract that has the view. */
            contract: string;
            /** @description Signature of the view. A view that takes an amount is asked about 10^`decimals` base units of shares: one whole share. */
            view: string;
            /** @description Decimals of the shares; of a view that takes no amount, those of its rate. */
            decimals: number;
            /** @description How `growth_7d.apy` and `growth_30d.apy` follow from `price`, `since` and `seconds`. */
            formula: string;
            /** @description The newest recorded price, the first of its day; null: none is recorded yet. */
            price: components["schemas"]["SharePriceOfDay"] | null;
            /** @description Growth since 7 days before the day of `price`; if that day has no price, since 8 days before. Its `apy` is the product's `apy`. */
            growth_7d: components["schemas"]["SharePriceWindow"];
            /** @description Growth since 30 days before the day of `price`; if that day has no price, since the newest of the 5 days before. */
            growth_30d: components["schemas"]["SharePriceWindow"];
        };
        SharePriceOfDay: {
            date: components["schemas"]["Day"];
            /** @description What the view reported, unscaled. */
            value: string;
            /** @description Block of the reading. */
            ledger_version: string;
            /** @description Time of the block by the chain's clock. */
            at: components["schemas"]["Instant"];
            /**
             * @description backfill: read later from an archive node.
             * @enum {string}
             */
            source: "observed" | "backfill";
            /** @description Number of nodes that reported the price. */
            witnesses: number;
        };
        SharePriceWindow: {
            /** @description The growth as a yearly yield; negative if the price fell. null: there is no earlier price, or the yield is beyond 1,000,000 percent. */
            apy: components["schemas"]["Percent"];
            /** @description Seconds between the blocks of `since` and `price`. */
            seconds: number | null;
            /** @description First price of the window; null until enough days are recorded. */
            since: components["schemas"]["SharePriceOfDay"] | null;
        };
        Health: {
            /** @description All problems in one line; only with 503. */
            message?: string;
            /**
             * @description Only with 503.
             * @enum {string}
             */
            error_code?: "service_unavailable";
            /**
             * @description failing: a figure cannot be served; degraded: every figure can, but there is a problem; not_started: no problem, and the schedule has not started.
             * @enum {string}
             */
            status: "ok" | "degraded" | "failing" | "not_started";
            checked_at: components["schemas"]["Instant"];
            build_revision: string;
            /** @description The platform's id of the version that answers; null where it has none. */
            version_id: string | null;
            schedule_revision: number;
            /** @description SHA-256 of the bytes of the file of registered addresses. null: this deployment has none. */
            addresses_sha256?: string | null;
            /** @description SHA-256 of the bytes of the file that maps the operator's own listing to products. null: this deployment has none. */
            rates_mapping_sha256?: string | null;
            /** @description SHA-256 of the bytes of the published file that every figure of the schedule is computed from, as in `/api/unlock-schedule`. null: this build has no file. */
            schedule_sha256: string | null;
            limiter: {
                /**
                 * @description exact: the limiter's objects respond; local: those of a region do not, and isolates count its callers alone.
                 * @enum {string}
                 */
                mode: "exact" | "local";
                /** @description Policy name to quota/seconds. */
                policies: {
                    [key: string]: string;
                };
                /** @description The object of each region that counts callers of /api. After a deployment an object runs the version before for a while. */
                objects?: {
                    /** @description A location hint of the platform; world: callers without geography. */
                    region: string;
                    responds: boolean;
                    /** @description null: unknown. */
                    build_revision: string | null;
                    /** @description null: unknown, or outside a deployment. */
                    version_id: string | null;
                }[];
            };
            upstreams: {
                label: string;
                reachable: boolean;
                ledger_version: string | null;
                /** @description Versions behind the newest known ledger. */
                lag: string | null;
                /** @enum {string} */
                breaker: "closed" | "open" | "half_open";
            }[];
            figures: {
                /** @enum {string} */
                name: "max_supply" | "circulating_supply" | "circulating_supply_daily" | "total_supply" | "stable_supply" | "rates" | "supply_breakdown";
                available: boolean;
                /** @description null: no value is available. */
                age_seconds: number | null;
                /** @description Maximum age while its upstream fails; null: it does not age. */
                bound_seconds: number | null;
                /** @description null: the figure is not read from the chain, or there is no value. */
                confirmed_by: components["schemas"]["ConfirmedBy"] | null;
            }[];
            /** @description Where the product `native-staking` of `/api/rates` comes from. */
            native_staking: {
                /**
                 * @description chain: computed from the chain. listing: with STAKING=off, a row of the listing. null: there is none.
                 * @enum {string|null}
                 */
                source: "chain" | "listing" | null;
                /** @description Why it does not come from the chain; null: it does. */
                reason: string | null;
            };
            problems: {
                code: string;
                subject: string;
                message: string;
                /** @description What the operator does about it. */
                remedy: string;
            }[];
        };
        /** @description Percent: 61.4 means 61.4 %. At most five decimals. */
        Share: number;
        /** @description Whole tokens. A chain counts in 128 bits: readers that store numbers as doubles should request text/plain or ?format=result when it exceeds 9007199254740991. */
        OnChainWholeTokens: number;
        /** Format: date */
        Day: string;
        /** @description The schedule's revision: raised with every published change. */
        Revision: number;
        /** @description The native token. One token is 10^decimals base units. */
        Token: {
            symbol: string;
            name: string;
            decimals: number;
        };
        /** @description An exact amount that may be negative. */
        SignedAmount: {
            tokens: string;
            base_units: string;
        };
        /** @description Percent, truncated to four decimals: "51.0217" means 51.0217 %. */
        PercentText: string;
        /** @description community, team, investors, treasury, foundation, liquidity, staking, public_sale, airdrop or other. */
        Category: string;
        /** @description One rule by which a part of an allocation unlocks. What accrues by days circulates from the schedule's next monthly step. */
        AllocationPhase: {
            /** @enum {string} */
            kind: "cliff" | "installments" | "linear" | "never";
            amount: components["schemas"]["Amount"];
            /** @description First day on which a part unlocks; for `linear` the day on which accrual starts. null: never. */
            from: components["schemas"]["Day"] | null;
            /** @description The day on which all of it is unlocked. null: never. */
            to: components["schemas"]["Day"] | null;
            /** @description How many equal parts; null for `linear` and `never`. */
            installments: number | null;
            every_months: number | null;
            every_days: number | null;
        };
        /** @description Address of locked tokens. */
        LockedAddress: {
            chain: string;
            address: string;
            label: string;
            /**
             * @description How the tokens are held: an account's balance, a stake pool, a vesting contract with its stake pool, stake delegated to a pool, stake with an operator, or what a lock contract's own view reports.
             * @enum {string}
             */
            holds: "account" | "stake_pool" | "vesting" | "delegation" | "staking_contract" | "lock";
            /**
             * @description on_chain: `/api/supply-breakdown` reads its balance. unverified: it is on another chain.
             * @enum {string}
             */
            verification: "on_chain" | "unverified";
            /** @description Only for a delegation: the pool. */
            pool?: string;
            /** @description Only for a staking contract: the operator. */
            operator?: string;
            /** @description Only for a lock: the signature of the view that reports what is locked. */
            view?: string;
            /** @description Only for a lock: the contract that is asked about the address; null: the address itself. */
            contract?: string | null;
        };
        Allocation: {
            id: string;
            label: string;
            category: components["schemas"]["Category"];
            allocation: components["schemas"]["Amount"];
            percent_of_max: components["schemas"]["PercentText"];
            /** @description Amount that circulates from the start. */
            genesis: components["schemas"]["Amount"];
            phases: components["schemas"]["AllocationPhase"][];
            /** @description Amount circulating now, including adjustments. */
            unlocked: components["schemas"]["Amount"];
            /** @description Allocation plus adjustments minus unlocked. */
            locked: components["schemas"]["Amount"];
            /** @description As a share of the allocation. */
            percent_unlocked: components["schemas"]["PercentText"];
            next_unlock: {
                at: components["schemas"]["Instant"];
                amount: components["schemas"]["Amount"];
            } | null;
            addresses: components["schemas"]["LockedAddress"][];
            /**
             * Format: uri
             * @description The document that states this allocation; null: the schedule's own sources.
             */
            source: string | null;
            /**
             * @description How the publisher knows the figures: stated in the source, read on chain, or estimated. null: not said.
             * @enum {string|null}
             */
            precision: "stated" | "on_chain" | "estimated" | null;
        };
        Allocations: {
            token: components["schemas"]["Token"];
            max_supply: components["schemas"]["Amount"];
            schedule_revision: components["schemas"]["Revision"];
            published_at: components["schemas"]["Day"];
            sources: {
                title: string;
                /** Format: uri */
                url: string;
            }[];
            /** Format: uri */
            methodology: string | null;
            /** @description true: sample data, not a real network's. */
            sample: boolean;
            /**
             * @description not_started: nothing circulates yet. ended: the last step has passed.
             * @enum {string}
             */
            state: "not_started" | "running" | "ended";
            starts_at: components["schemas"]["Instant"];
            /** @description The step from which `unlocked` and `locked` apply; null before the start. */
            effective_from: components["schemas"]["Instant"] | null;
            /**
             * @description table: only totals are published, and `allocations` is empty.
             * @enum {string}
             */
            published_as: "buckets" | "table";
            unlocked: components["schemas"]["Amount"];
            locked: components["schemas"]["Amount"];
            allocations: components["schemas"]["Allocation"][];
            /** @description The project's wallets that hold no locked tokens of a bucket, and burn addresses. */
            wallets: (components["schemas"]["LockedAddress"] & {
                category: components["schemas"]["WalletCategory"];
            })[];
            /** @description Who publishes the schedule; null: not said. */
            publisher: string | null;
        };
        /**
         * @description cliff: all at once, including what circulates from the start. installment: one of several equal parts. linear: the accrual since the previous step. adjustment: a sourced correction, such as a burn.
         * @enum {string}
         */
        UnlockKind: "cliff" | "installment" | "linear" | "adjustment";
        UnlockEvent: {
            at: components["schemas"]["Instant"];
            /** @description The change of the circulating figure. */
            amount: components["schemas"]["SignedAmount"];
            /** @description The circulating figure from this instant on. */
            cumulative: components["schemas"]["Amount"];
            /** @description The change as a percentage of the maximum. */
            percent_of_max: components["schemas"]["PercentText"];
            /** @description One entry per bucket and kind. Empty where only totals are published. */
            buckets: {
                id: string;
                label: string;
                category: components["schemas"]["Category"];
                kind: components["schemas"]["UnlockKind"];
                amount: components["schemas"]["SignedAmount"];
                /**
                 * Format: uri
                 * @description Only for an adjustment; else null.
                 */
                source: string | null;
                /** @description The kind of an adjustment as published, such as `burn`; null for an unlock. */
                adjustment: string | null;
                /** @description Whether an adjustment changed months that had been published before it; null for an unlock, or where the schedule does not say when the adjustment was made. */
                restated: boolean | null;
            }[];
            /** @description The change as a percentage of what circulated before it; null: nothing did. */
            percent_of_circulating: components["schemas"]["PercentText"] | null;
        };
        UnlockEvents: {
            token: components["schemas"]["Token"];
            max_supply: components["schemas"]["Amount"];
            schedule_revision: components["schemas"]["Revision"];
            /** @description As requested. */
            from: components["schemas"]["Day"] | null;
            /** @description As requested. */
            to: components["schemas"]["Day"] | null;
            count: number;
            data: components["schemas"]["UnlockEvent"][];
        };
        /** @description The four parts of a stake pool. */
        StakeParts: {
            active: components["schemas"]["Amount"];
            inactive: components["schemas"]["Amount"];
            pending_active: components["schemas"]["Amount"];
            pending_inactive: components["schemas"]["Amount"];
        };
        NonCirculatingWallet: {
            /** @description The bucket whose locked tokens it contains; empty for a wallet of no bucket. */
            bucket: string;
            category: components["schemas"]["WalletCategory"];
            chain: string;
            address: string;
            label: string;
            /** @enum {string} */
            holds: "account" | "stake_pool" | "vesting" | "delegation" | "staking_contract" | "lock";
            /** @description The delegation pool; null for other kinds. */
            pool: string | null;
            /** @description The staking contract's operator; null for other kinds. */
            operator: string | null;
            /** @description The signature of the view that reports what a `lock` holds; null for other kinds. Its value is never above the address's balance of the token: a larger one is refused. */
            view: string | null;
            /** @description The contract of a lock's view, if the view is asked about the address; else null. */
            contract: string | null;
            /** @enum {string} */
            verification: "on_chain" | "unverified";
            /** @description The balance that counts: the last good one while it cannot be read. null: never read. */
            balance: components["schemas"]["Amount"] | null;
            /** @description The parts of the stake pool of a `stake_pool`, `vesting` or `staking_contract`; else null. A staking contract's balance is less by the operator's commission. */
            stake: components["schemas"]["StakeParts"] | null;
            /** @description null: never read, or burned. */
            percentage_of_total_supply: components["schemas"]["PercentText"] | null;
            /** @description true: it could not be read and the last good balance is shown, or the balance fell by more than half within the last day. */
            anomaly: boolean;
            anomaly_reason: string | null;
            /** @description As `balance` while a fall is reported; else null. */
            observed_balance: components["schemas"]["Amount"] | null;
            /** @description Ledger version at which `balance` was read. */
            ledger_version: string | null;
            /** @description When `balance` was read. */
            last_updated: components["schemas"]["Instant"] | null;
        };
        Constant: {
            label: string;
            category: components["schemas"]["WalletCategory"];
            amount: components["schemas"]["Amount"];
            /**
             * Format: uri
             * @description Where the amount is stated.
             */
            source: string;
            /**
             * Format: date
             * @description The amount counts from this day on.
             */
            date: string;
        };
        SupplyBreakdown: {
            token: components["schemas"]["Token"];
            /** @description The native token on chain: its coin type, or the address of its fungible asset or contract. With it and the wallets below, any node of the chain gives the same figures. */
            asset: string;
            schedule_revision: components["schemas"]["Revision"];
            /** @description When the chain was read. */
            as_of: components["schemas"]["Instant"];
            /** @description Total and wallets were all read at this version. While a wallet cannot be read it is that of the last reading with every wallet, for an hour. */
            ledger_version: string;
            /** @description Of an EVM chain alone: the hash of that block, at which any node of the chain gives the same words. */
            block_hash?: string;
            /** @description Of an EVM chain alone, where the settings name it. */
            chain_id?: number;
            /** @description All that exists on chain: circulating, held by the listed wallets and burned. Of a token on several chains the sum of those where it is issued. */
            minted_supply: components["schemas"]["Amount"];
            /** @description Sum of the wallets of category `burn`. */
            burned_supply: components["schemas"]["Amount"];
            /** @description Minted minus burned. */
            total_supply: components["schemas"]["Amount"];
            /** @description Sum of the wallets' balances, without those of category `burn`. */
            non_circulating_supply: components["schemas"]["Amount"];
            /** @description Total minus the wallets' balances; zero while they hold all that exists. Reported in addition to the scheduled figure, never instead of it. */
            circulating_supply_on_chain: components["schemas"]["SignedAmount"];
            /** @description What `/api/circulating-supply` publishes; null before the start. */
            circulating_supply_scheduled: components["schemas"]["Amount"] | null;
            /** @description false: a sum is missing, because a wallet has no balance yet or is on another chain, or nothing is left of the total; then the answer is 503. Whether the schedule lists every wallet is the schedule's own statement. */
            complete: boolean;
            buckets: {
                id: string;
                label: string;
                category: components["schemas"]["Category"];
                /** @description Amount that must be locked now. */
                locked_by_schedule: components["schemas"]["Amount"];
                /** @description Sum of the balances of the bucket's wallets; null when none can be read. */
                held_on_chain: components["schemas"]["Amount"] | null;
                /** @description Balance minus the amount that must be locked. Negative: the wallets contain too little. */
                difference: components["schemas"]["SignedAmount"] | null;
            }[];
            /** @description Tokens that are lost, or were sent where no balance can be read: amounts that a source states. They are part of `non_circulating_supply`, or of `burned_supply` if their category is `burn`. */
            constants: components["schemas"]["Constant"][];
            non_circulating_wallets: components["schemas"]["NonCirculatingWallet"][];
            confirmed_by: components["schemas"]["ConfirmedBy"];
            /** @description Maps the name of a missing sum to the reason; empty with 200. */
            unavailable: {
                [key: string]: string;
            };
            /** @description Each chain of the token, the first one first. */
            chains?: components["schemas"]["ChainSupply"][];
        };
        /**
         * @description non_circulating_supply: the sum of the wallets and constants of `/api/supply-breakdown`, without burned tokens. The others are the paths of these names. Amounts of `staked_percent` are percent, with 5 `decimals`; those of every other figure are tokens.
         * @enum {string}
         */
        HistoryFigure: "total_supply" | "stable_supply" | "non_circulating_supply" | "circulating_supply_on_chain" | "circulating_supply_above_plan" | "burned_supply" | "staked_supply" | "staked_percent" | "yearly_emission" | "escrow_shortfall" | "burned_by_contract" | "circulating_supply_hybrid";
        History: {
            from: components["schemas"]["Day"];
            to: components["schemas"]["Day"];
            corrections: components["schemas"]["HistoryCorrections"];
            count: number;
            /** @description The first valid reading at or after 00:00 UTC of each day, the first that has every balance; when there is none until 18:00, the figures that can be read then. Days without a reading are omitted. */
            data: {
                corrected: components["schemas"]["Corrected"];
                date: components["schemas"]["Day"];
                figure: components["schemas"]["HistoryFigure"];
                tokens: components["schemas"]["Decimal"];
                base_units: components["schemas"]["BaseUnits"];
                decimals: number;
                ledger_version: string | null;
                observed_at: components["schemas"]["Instant"];
                /**
                 * @description observed: by this service on that day. backfill: read later from an archive node.
                 * @enum {string}
                 */
                source: "observed" | "backfill";
                /** @description How many chain nodes said each amount in the figure, at least; null: not recorded, as for a row of source backfill. */
                witnesses: number | null;
                /** @description Of a token on several chains: the version of each, by its name in the schedule's file; null: unknown. Absent for a token on one. */
                ledger_versions?: {
                    [key: string]: string;
                } | null;
            }[];
        };
        /** @description The operator has replaced the recorded value; `corrections` has the reason. */
        Corrected: boolean;
        /** @description What the operator has corrected on the requested days, with the reason. A row whose correction has no value is not in `data`. */
        HistoryCorrections: {
            date: components["schemas"]["Day"];
            /** @description A figure, or `apy:` and the id of a yield product. */
            figure: string;
            /** @description Base units, or the APY in percent. null: the row is not published. */
            value: string | null;
            /** @description What was recorded, in the unit of `value`. null: not known. */
            recorded: string | null;
            reason: string;
            corrected_on: components["schemas"]["Day"];
        }[];
        RateHistory: {
            id: string;
            from: components["schemas"]["Day"];
            to: components["schemas"]["Day"];
            corrections: components["schemas"]["HistoryCorrections"];
            count: number;
            /** @description The first valid reading at or after 00:00 UTC of each day. Days without a reading are omitted. */
            data: {
                corrected: components["schemas"]["Corrected"];
                /** @description Only of products whose yield is the growth of a share's price: the first price of the day. `apy` is its growth over 7 recorded days. */
                share_price?: {
                    /** @description What the view reported, unscaled. */
                    value: string;
                    ledger_version: string;
                    /** @description Time of the block by the chain's clock. */
                    at: components["schemas"]["Instant"];
                    witnesses: number;
                    /** @description Growth over 30 recorded days as a yearly yield. */
                    apy_30d: components["schemas"]["Percent"];
                };
                date: components["schemas"]["Day"];
                apy: components["schemas"]["Percent"];
                apy_base: components["schemas"]["Percent"];
                apy_reward: components["schemas"]["Percent"];
                /** @description Mean of the recorded `apy` of the last 7 days; null while fewer than 6 of them have one. */
                apy_mean_7d: components["schemas"]["Percent"];
                /** @description Mean of the recorded `apy_base` of the last 7 days; null while fewer than 6 of them have one. */
                apy_mean_7d_base: components["schemas"]["Percent"];
                /** @description Mean of the recorded `apy_reward` of the last 7 days; null while fewer than 6 of them have one. */
                apy_mean_7d_reward: components["schemas"]["Percent"];
                /** @description Mean of the recorded `apy` of the last 30 days; null while fewer than 25 of them have one. */
                apy_mean_30d: components["schemas"]["Percent"];
                /** @description Mean of the recorded `apy_base` of the last 30 days; null while fewer than 25 of them have one. */
                apy_mean_30d_base: components["schemas"]["Percent"];
                /** @description Mean of the recorded `apy_reward` of the last 30 days; null while fewer than 25 of them have one. */
                apy_mean_30d_reward: components["schemas"]["Percent"];
                /** @description Mean of the recorded `apy` of the last 90 days; null while fewer than 75 of them have one. */
                apy_mean_90d: components["schemas"]["Percent"];
                /** @description Mean of the recorded `apy_base` of the last 90 days; null while fewer than 75 of them have one. */
                apy_mean_90d_base: components["schemas"]["Percent"];
                /** @description Mean of the recorded `apy_reward` of the last 90 days; null while fewer than 75 of them have one. */
                apy_mean_90d_reward: components["schemas"]["Percent"];
                /** @description Mean of the recorded `apy` of the last 365 days; null while fewer than 305 of them have one. */
                apy_mean_365d: components["schemas"]["Percent"];
                /** @description Mean of the recorded `apy_base` of the last 365 days; null while fewer than 305 of them have one. */
                apy_mean_365d_base: components["schemas"]["Percent"];
                /** @description Mean of the recorded `apy_reward` of the last 365 days; null while fewer than 305 of them have one. */
                apy_mean_365d_reward: components["schemas"]["Percent"];
                tvl: string | null;
                tvl_usd: number | null;
                observed_at: components["schemas"]["Instant"];
                source: string;
            }[];
        };
        /** @description Before the schedule's start there is no circulating figure: an Error object with the figures known already. */
        SupplyUnavailable: {
            message: string;
            /** @enum {string} */
            error_code: "not_found" | "method_not_allowed" | "rate_limited" | "service_unavailable" | "invalid_input" | "unsupported_version" | "version_removed";
            /** @enum {string} */
            state?: "not_started";
            starts_at?: components["schemas"]["Instant"];
            max?: components["schemas"]["Amount"];
            /** @description Amount that circulates from the start. */
            next_unlock?: {
                at: components["schemas"]["Instant"];
                amount: components["schemas"]["Amount"];
                buckets: {
                    id: string;
                    label: string;
                    amount: components["schemas"]["Amount"];
                }[];
            };
            schedule_revision?: components["schemas"]["Revision"];
        };
        Badge: {
            /** @constant */
            schemaVersion: 1;
            /** @description Name of the figure. */
            label: string;
            /** @description The figure in a few characters, rounded down; "unavailable" when there is none. */
            message: string;
            color: string;
        };
        /** @description The exact figure where it is not whole. Readers that store numbers as doubles should request text/plain or `format=result`. */
        TokensWithDecimals: number;
        /** @description The exact figure where it is not whole. */
        DecimalDigits: string;
        ExactResultForm: {
            result: components["schemas"]["DecimalDigits"];
        };
        /** @description As a bucket's category, or `burn`: tokens that count neither as circulating nor as existing. */
        WalletCategory: string;
        /** @description Canonical: no exponent, no trailing zero. */
        SignedDecimalNumber: number;
        /** @description Canonical: no exponent, no trailing zero. */
        SignedDecimalDigits: string;
        RateResult: {
            result: components["schemas"]["SignedDecimalDigits"];
        };
        /** @description How the figures were read: by which chain nodes, which said the same at one ledger version. One node alone: the figures are that node's word. */
        ConfirmedBy: {
            /** @description Labels, as in `upstreams` of `/api/health`, of the nodes that said every amount; none: each amount was said, and no node said them all. */
            nodes: string[];
            ledger_version: string;
            at: components["schemas"]["Instant"];
            /** @description Of a token on several chains: who said so on each that could be read, at which version, when. Absent for a token on one. */
            chains?: {
                chain: string;
                nodes: string[];
                ledger_version: string;
                at: components["schemas"]["Instant"];
            }[];
        };
        /** @description Without the balance of a listed wallet there is no breakdown: an Error object with what is known. Only the Error's members while nothing is. */
        SupplyBreakdownUnavailable: {
            /** @description Names the wallet and why it has no balance. */
            message: string;
            /** @enum {string} */
            error_code: "not_found" | "method_not_allowed" | "rate_limited" | "service_unavailable" | "invalid_input" | "unsupported_version" | "version_removed";
            token?: components["schemas"]["Token"];
            schedule_revision?: components["schemas"]["Revision"];
            /** @description When the chain was read. */
            as_of?: components["schemas"]["Instant"];
            /** @description Total and wallets were all read at this version. While a wallet cannot be read it is that of the last reading with every wallet, for an hour. */
            ledger_version?: string;
            /** @description All that exists on chain: circulating, held by the listed wallets and burned. Of a token on several chains the sum of those where it is issued. */
            minted_supply?: components["schemas"]["Amount"];
            /** @description null: a wallet is missing in it. */
            burned_supply?: components["schemas"]["Amount"] | null;
            /** @description null: a wallet is missing in it. */
            total_supply?: components["schemas"]["Amount"] | null;
            /** @description null: a wallet is missing in it. */
            non_circulating_supply?: components["schemas"]["Amount"] | null;
            /** @description null: a wallet is missing in it. */
            circulating_supply_on_chain?: components["schemas"]["SignedAmount"] | null;
            /** @description What `/api/circulating-supply` publishes; null before the start. */
            circulating_supply_scheduled?: components["schemas"]["Amount"] | null;
            /** @description Always false. */
            complete?: boolean;
            buckets?: {
                id: string;
                label: string;
                category: components["schemas"]["Category"];
                /** @description Amount that must be locked now. */
                locked_by_schedule: components["schemas"]["Amount"];
                /** @description Sum of the balances of the bucket's wallets; null when none can be read. */
                held_on_chain: components["schemas"]["Amount"] | null;
                /** @description Balance minus the amount that must be locked. Negative: the wallets contain too little. */
                difference: components["schemas"]["SignedAmount"] | null;
            }[];
            /** @description Tokens that are lost, or were sent where no balance can be read: amounts that a source states. They are part of `non_circulating_supply`, or of `burned_supply` if their category is `burn`. */
            constants?: components["schemas"]["Constant"][];
            non_circulating_wallets?: components["schemas"]["NonCirculatingWallet"][];
            confirmed_by?: components["schemas"]["ConfirmedBy"];
            /** @description Maps the name of a missing sum to the reason. */
            unavailable?: {
                [key: string]: string;
            };
            /** @description Each chain of the token, the first one first. */
            chains?: components["schemas"]["ChainSupply"][];
        };
        /** @description A token on one of its chains. */
        ChainSupply: {
            /** @description Its name in the schedule's file; `native`: the first one. */
            chain: string;
            /** @enum {string} */
            family: "move" | "evm";
            chain_id: number | null;
            /** @description The token there, as its chain names it. */
            asset: string;
            /**
             * @description `issued`: what exists there adds up with the other chains'. `bridged`: it stands for what the escrow holds, and does not.
             * @enum {string}
             */
            supply: "issued" | "bridged";
            /** @description Version, or block, at which it was last read; null: never. */
            ledger_version: string | null;
            /** @description Of an EVM chain: the hash of that block. */
            block_hash: string | null;
            /** @description When; null: never. */
            as_of: components["schemas"]["Instant"] | null;
            /** @description All that exists there, rounded down to the token's decimals; null: it is not of this reading. */
            minted_supply: components["schemas"]["Amount"] | null;
            /** @description What backs a bridged supply; null: it is issued. */
            escrow: {
                chain: string;
                address: string;
                /** @description The chains that share it. */
                backs: string[];
                /** @description What it holds; null: unknown. */
                balance: components["schemas"]["Amount"] | null;
                /** @description What it holds beyond what exists on the chains that it backs. Negative: so much is backed by nothing. */
                difference: components["schemas"]["SignedAmount"] | null;
            } | null;
            /** @description Why it is not of this reading; null: it is. */
            unavailable: string | null;
            /** @description What a contract on the chain states to circulate, beside the figure of the same reading. No figure is made of it. Absent where the schedule's file lists no such view. */
            circulating_view?: {
                /** @description The contract that is asked. */
                contract: string;
                /**
                 * @description Signature of the view that is asked.
                 * @enum {string}
                 */
                view: "circulatingSupply()" | "circulating_supply()" | "getCirculatingSupply()" | "CirculatingSupply()";
                /** @description What it answers, in the token's decimals, rounded down; null: it is not of this reading. */
                stated: components["schemas"]["Amount"] | null;
                /** @description What circulates on all chains of the token by the reading; null: unknown. */
                circulating_supply_on_chain: components["schemas"]["Amount"] | null;
                /** @description What the contract states beyond what circulates on chain. Negative: it states less. null: one of the two is. */
                difference: components["schemas"]["SignedAmount"] | null;
                /** @description Why `stated` is null; null: it is not. */
                unavailable: string | null;
            };
        };
        Page: {
            /** @description When the chain was read, of which all figures of the chain in `supply` and `supply_breakdown` are one reading; null: it is not read, or no reading may be served. */
            as_of: components["schemas"]["Instant"] | null;
            /** @description The body of `/api/supply` at the same instant; null before the schedule's start. */
            supply: components["schemas"]["Supply"] | null;
            /** @description The body of `/api/supply-breakdown` at the same instant; null where that answers 503, and in a deployment that reads no chain. */
            supply_breakdown: components["schemas"]["SupplyBreakdown"] | null;
            /** @description The body of `/api/rates` at the same instant; null where that answers 503, and in a deployment that lists no yield products. */
            rates: components["schemas"]["Rates"] | null;
            /** @description Why a member of this deployment is null now. */
            unavailable: {
                [key: string]: {
                    message: string;
                    /** @description Seconds after which it may be there. */
                    retry_after: number;
                };
            };
        };
        PageHistory: {
            from: components["schemas"]["Day"];
            to: components["schemas"]["Day"];
            count: number;
            /** @description Days with a figure, ascending. */
            data: {
                date: components["schemas"]["Day"];
                /** @description As in `/api/history`; null: that day has none. */
                total_supply: components["schemas"]["BaseUnits"] | null;
                /** @description As in `/api/history`; null: that day has none. */
                non_circulating_supply: components["schemas"]["BaseUnits"] | null;
            }[];
        };
    };
    responses: {
        /** @description The client's copy is current. */
        NotModified: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                Deprecation: components["headers"]["Deprecation"];
                Sunset: components["headers"]["Sunset"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-API-Version": components["headers"]["ApiVersion"];
                Link: components["headers"]["VersionLink"];
                "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                Vary: components["headers"]["VersionVary"];
                "Cache-Control": components["headers"]["CacheControl"];
                ETag: components["headers"]["ETag"];
                "Last-Modified": components["headers"]["LastModified"];
                Age: components["headers"]["Age"];
                "Cache-Status": components["headers"]["CacheStatus"];
                "X-Ledger-Version": components["headers"]["LedgerVersion"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description A parameter or the version is invalid; the message names it and what is allowed. */
        BadRequest: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                Deprecation: components["headers"]["Deprecation"];
                Sunset: components["headers"]["Sunset"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "Cache-Control": components["headers"]["NoStore"];
                Link: components["headers"]["VersionLink"];
                "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                "X-API-Version": components["headers"]["VersionOnErrors"];
                Vary: components["headers"]["VersionVary"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Parameter month must be YYYY-MM.",
                 *       "error_code": "invalid_input"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Path not found. */
        NotFound: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                Deprecation: components["headers"]["Deprecation"];
                Sunset: components["headers"]["Sunset"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "Cache-Control": components["headers"]["NoStore"];
                Link: components["headers"]["VersionLink"];
                "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                "X-API-Version": components["headers"]["VersionOnErrors"];
                Vary: components["headers"]["VersionVary"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Path not found.",
                 *       "error_code": "not_found"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The path exists, the method does not. */
        MethodNotAllowed: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                Deprecation: components["headers"]["Deprecation"];
                Sunset: components["headers"]["Sunset"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "Cache-Control": components["headers"]["NoStore"];
                Allow: components["headers"]["Allow"];
                Link: components["headers"]["VersionLink"];
                "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                "X-API-Version": components["headers"]["VersionOnErrors"];
                Vary: components["headers"]["VersionVary"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Method not allowed. This path allows GET, HEAD, OPTIONS.",
                 *       "error_code": "method_not_allowed"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The requested version is no longer served. */
        VersionRemoved: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                Deprecation: components["headers"]["Deprecation"];
                Sunset: components["headers"]["Sunset"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "Cache-Control": components["headers"]["NoStore"];
                Link: components["headers"]["VersionLink"];
                "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                "X-API-Version": components["headers"]["VersionOnErrors"];
                Vary: components["headers"]["VersionVary"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Version 1 was removed.",
                 *       "error_code": "version_removed"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The caller is over its quota. */
        TooManyRequests: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                Deprecation: components["headers"]["Deprecation"];
                Sunset: components["headers"]["Sunset"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "Cache-Control": components["headers"]["NoStore"];
                "Retry-After": components["headers"]["RetryAfter"];
                Link: components["headers"]["VersionLink"];
                "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                "X-API-Version": components["headers"]["VersionOnErrors"];
                Vary: components["headers"]["VersionVary"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "The limit is 60 requests per 60 seconds; retry in 12 seconds.",
                 *       "error_code": "rate_limited"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The figure is not available now. */
        Unavailable: {
            headers: {
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                Deprecation: components["headers"]["Deprecation"];
                Sunset: components["headers"]["Sunset"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "Cache-Control": components["headers"]["NoStore"];
                "Retry-After": components["headers"]["RetryAfter"];
                Link: components["headers"]["VersionLink"];
                "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                "X-API-Version": components["headers"]["VersionOnErrors"];
                Vary: components["headers"]["VersionVary"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "The figure cannot be read from the chain now.",
                 *       "error_code": "service_unavailable"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The client's copy is current. */
        PageNotModified: {
            headers: {
                RateLimit: components["headers"]["PageRateLimit"];
                "RateLimit-Policy": components["headers"]["PageRateLimitPolicy"];
                Deprecation: components["headers"]["Deprecation"];
                Sunset: components["headers"]["Sunset"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "X-API-Version": components["headers"]["ApiVersion"];
                Link: components["headers"]["VersionLink"];
                "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                Vary: components["headers"]["VersionVary"];
                "Cache-Control": components["headers"]["CacheControl"];
                ETag: components["headers"]["ETag"];
                "Last-Modified": components["headers"]["LastModified"];
                Age: components["headers"]["Age"];
                "Cache-Status": components["headers"]["CacheStatus"];
                "X-Ledger-Version": components["headers"]["LedgerVersion"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description A parameter or the version is invalid; the message names it and what is allowed. */
        PageBadRequest: {
            headers: {
                RateLimit: components["headers"]["PageRateLimit"];
                "RateLimit-Policy": components["headers"]["PageRateLimitPolicy"];
                Deprecation: components["headers"]["Deprecation"];
                Sunset: components["headers"]["Sunset"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "Cache-Control": components["headers"]["NoStore"];
                Link: components["headers"]["VersionLink"];
                "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                "X-API-Version": components["headers"]["VersionOnErrors"];
                Vary: components["headers"]["VersionVary"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Parameter month must be YYYY-MM.",
                 *       "error_code": "invalid_input"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Path not found. */
        PageNotFound: {
            headers: {
                RateLimit: components["headers"]["PageRateLimit"];
                "RateLimit-Policy": components["headers"]["PageRateLimitPolicy"];
                Deprecation: components["headers"]["Deprecation"];
                Sunset: components["headers"]["Sunset"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "Cache-Control": components["headers"]["NoStore"];
                Link: components["headers"]["VersionLink"];
                "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                "X-API-Version": components["headers"]["VersionOnErrors"];
                Vary: components["headers"]["VersionVary"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Path not found.",
                 *       "error_code": "not_found"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The path exists, the method does not. */
        PageMethodNotAllowed: {
            headers: {
                RateLimit: components["headers"]["PageRateLimit"];
                "RateLimit-Policy": components["headers"]["PageRateLimitPolicy"];
                Deprecation: components["headers"]["Deprecation"];
                Sunset: components["headers"]["Sunset"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "Cache-Control": components["headers"]["NoStore"];
                Allow: components["headers"]["Allow"];
                Link: components["headers"]["VersionLink"];
                "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                "X-API-Version": components["headers"]["VersionOnErrors"];
                Vary: components["headers"]["VersionVary"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Method not allowed. This path allows GET, HEAD, OPTIONS.",
                 *       "error_code": "method_not_allowed"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The requested version is no longer served. */
        PageVersionRemoved: {
            headers: {
                RateLimit: components["headers"]["PageRateLimit"];
                "RateLimit-Policy": components["headers"]["PageRateLimitPolicy"];
                Deprecation: components["headers"]["Deprecation"];
                Sunset: components["headers"]["Sunset"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "Cache-Control": components["headers"]["NoStore"];
                Link: components["headers"]["VersionLink"];
                "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                "X-API-Version": components["headers"]["VersionOnErrors"];
                Vary: components["headers"]["VersionVary"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "Version 1 was removed.",
                 *       "error_code": "version_removed"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The caller is over its quota. */
        PageTooManyRequests: {
            headers: {
                RateLimit: components["headers"]["PageRateLimit"];
                "RateLimit-Policy": components["headers"]["PageRateLimitPolicy"];
                Deprecation: components["headers"]["Deprecation"];
                Sunset: components["headers"]["Sunset"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "Cache-Control": components["headers"]["NoStore"];
                "Retry-After": components["headers"]["RetryAfter"];
                Link: components["headers"]["VersionLink"];
                "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                "X-API-Version": components["headers"]["VersionOnErrors"];
                Vary: components["headers"]["VersionVary"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "The limit is 60 requests per 60 seconds; retry in 12 seconds.",
                 *       "error_code": "rate_limited"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The figure is not available now. */
        PageUnavailable: {
            headers: {
                RateLimit: components["headers"]["PageRateLimit"];
                "RateLimit-Policy": components["headers"]["PageRateLimitPolicy"];
                Deprecation: components["headers"]["Deprecation"];
                Sunset: components["headers"]["Sunset"];
                "X-Request-Id": components["headers"]["RequestId"];
                "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                "X-Content-Type-Options": components["headers"]["NoSniff"];
                "Cache-Control": components["headers"]["NoStore"];
                "Retry-After": components["headers"]["RetryAfter"];
                Link: components["headers"]["VersionLink"];
                "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                "X-API-Version": components["headers"]["VersionOnErrors"];
                Vary: components["headers"]["VersionVary"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "The figure cannot be read from the chain now.",
                 *       "error_code": "service_unavailable"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description Pins the API version; absent means the current one. */
        ApiVersion: "1";
        /** @description `number`: a bare JSON number. `plain`: the same digits as text/plain (also when Accept prefers it). `result`: `{"result":"<digits>"}`. */
        Format: "number" | "plain" | "result";
        /**
         * @description The figure in force at this month's end (UTC). Not together with `date`.
         * @example 2025-01
         */
        MonthOfFigure: string;
        /**
         * @description The figure in force at 00:00:00 UTC of this day. Not together with `month`.
         * @example 2025-01-31
         */
        Date: string;
        /** @description The first day (UTC), included. Absent: from the beginning. */
        From: string;
        /** @description The last day (UTC), included. Absent: to the end. */
        To: string;
        /** @description Only this figure; absent: every figure. */
        FigureOfHistory: components["schemas"]["HistoryFigure"];
        /** @description The first day (UTC), included. Absent: 365 days before the last. At most ten years are stored. */
        HistoryFrom: string;
        /** @description The last day (UTC), included. Absent: today. */
        HistoryTo: string;
        /**
         * @description `1`: the file begins with a byte order mark (UTF-8), by which Excel reads its names when it is opened by a double click.
         * @example 1
         */
        ByteOrderMark: "1" | "true";
        /** @description `base_units`: bucket columns in base units. `tokens`: bucket columns in tokens, exact, without rounding. */
        CsvUnit: "base_units" | "tokens";
        /**
         * @description A product's `id` from `/api/rates`, percent-encoded.
         * @example native-staking
         */
        ProductId: string;
        /**
         * @description `apy` is the highest of an active yield product.
         * @example circulating-supply
         */
        BadgeFigure: "circulating-supply" | "circulating-supply-daily" | "max-supply" | "total-supply" | "stable-supply" | "circulating-supply-on-chain" | "circulating-supply-above-plan" | "burned-supply" | "staked-supply" | "staked-percent" | "yearly-emission" | "apy" | "escrow-shortfall" | "burned-by-contract" | "circulating-supply-hybrid";
        /** @description `exact`: the figure with all its decimals, canonical: no trailing zero, no exponent. Without it: whole tokens, rounded down. */
        Decimals: "exact";
        /** @description Only the product of this `id`. */
        RatesId: string;
        /** @description Only products of this `kind`. */
        RatesKind: "staking" | "liquid_staking" | "lending" | "vault" | "savings" | "liquidity";
        /** @description Only products of this `provider`. */
        RatesProvider: string;
        /** @description Only products on this `chain`. */
        RatesChain: string;
        /** @description Only products of the asset with this `symbol`. */
        RatesAsset: string;
        /** @description Only products of this `status`. */
        RatesStatus: "active" | "paused" | "deprecated" | "stale";
        /** @description Only products of this `source`. */
        RatesSource: string;
        /**
         * @description Only this value of the product, as a bare number. 404 while it is null in the product's row, 503 when the row is out of date.
         * @example apy
         */
        RateValue: "apy" | "apy_base" | "apy_reward" | "apr" | "apy_net" | "apr_net" | "commission_percent" | "staked" | "staked_percent" | "yearly_emission" | "apy_mean_7d" | "apy_mean_7d_base" | "apy_mean_7d_reward" | "apy_mean_30d" | "apy_mean_30d_base" | "apy_mean_30d_reward" | "apy_mean_90d" | "apy_mean_90d_base" | "apy_mean_90d_reward" | "apy_mean_365d" | "apy_mean_365d_base" | "apy_mean_365d_reward" | "apy_change_7d" | "tvl" | "tvl_usd" | "min_deposit" | "compounds_per_year" | "lockup_seconds" | "cooldown_seconds";
        /** @description Only with `value`. `number`: a bare JSON number. `plain`: the same digits as text/plain (also when Accept prefers it). `result`: `{"result":"<digits>"}`. */
        RateFormat: "number" | "plain" | "result";
    };
    requestBodies: never;
    headers: {
        /**
         * @description The caller's remaining quota, and in how many seconds more is available.
         * @example default;r=59;t=60
         */
        RateLimit: string;
        /**
         * @description The quota and its window in seconds.
         * @example default;q=60;w=60
         */
        RateLimitPolicy: string;
        /** @description Only when the version in use is deprecated (RFC 9745). */
        Deprecation: string;
        /** @description Only when a removal date is set (RFC 8594), which is at least 180 days ahead. */
        Sunset: string;
        /** @description Include it when reporting a problem. */
        RequestId: string;
        /** @description Pages of any origin may read the response. */
        AllowOrigin: "*";
        /** @description The headers that scripts may read. */
        ExposeHeaders: string;
        /** @description The media type must not be guessed. */
        NoSniff: "nosniff";
        /** @description The version of the response. */
        ApiVersion: "1";
        /** @description How long a copy may be cached; never past the next step. */
        CacheControl: string;
        /** @description Changes when the body changes. */
        ETag: string;
        /** @description When the figure took effect; absent for a future period, and where the schedule was revised since. */
        LastModified: string;
        /** @description Seconds since the figure was read from its upstream; of a sum, since the oldest of its parts was. */
        Age: number;
        /** @description How the cache handled the request (RFC 9211). */
        CacheStatus: string;
        /** @description The media type depends on Accept, the version on X-API-Version. */
        Vary: string;
        /** @description Seconds to wait. */
        RetryAfter: number;
        /** @description The methods that this path allows. */
        Allow: string;
        /** @description Errors are never cached. */
        NoStore: "no-store";
        /** @description Pages of any origin may embed the response. */
        ResourcePolicy: "cross-origin";
        /** @description The request headers on which the response depends: X-API-Version, and Accept where there are several formats. */
        VersionVary: string;
        /** @description The requested version; absent when it does not exist or was removed. */
        VersionOnErrors: "1";
        /** @description Only when the version in use is deprecated: where its successor is described. */
        VersionLink: string;
        /** @description When the products were read. */
        ListedAt: string;
        /**
         * @description The ledger version at which the figures from the chain were read; absent when there are none. Of a token on several chains that of the first one: `/api/supply-breakdown` and `/api/supply` name the others'.
         * @example 1234
         */
        LedgerVersion: string;
        /**
         * @description The caller's remaining quota of what the page and the embeds read, and in how many seconds more is available.
         * @example page;r=5999;t=60
         */
        PageRateLimit: string;
        /**
         * @description The quota and its window in seconds.
         * @example page;q=6000;w=60
         */
        PageRateLimitPolicy: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getMaxSupply: {
        parameters: {
            query?: {
                /** @description `number`: a bare JSON number. `plain`: the same digits as text/plain (also when Accept prefers it). `result`: `{"result":"<digits>"}`. */
                format?: components["parameters"]["Format"];
                /** @description `exact`: the figure with all its decimals, canonical: no trailing zero, no exponent. Without it: whole tokens, rounded down. */
                decimals?: components["parameters"]["Decimals"];
            };
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figure: whole tokens, digits only; with `decimals=exact` all its decimals. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WholeTokens"] | components["schemas"]["ResultForm"] | components["schemas"]["TokensWithDecimals"] | components["schemas"]["ExactResultForm"];
                    /** @example 1000000000 */
                    "text/plain": components["schemas"]["Digits"] | components["schemas"]["DecimalDigits"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCirculatingSupply: {
        parameters: {
            query?: {
                /** @description `number`: a bare JSON number. `plain`: the same digits as text/plain (also when Accept prefers it). `result`: `{"result":"<digits>"}`. */
                format?: components["parameters"]["Format"];
                /** @description `exact`: the figure with all its decimals, canonical: no trailing zero, no exponent. Without it: whole tokens, rounded down. */
                decimals?: components["parameters"]["Decimals"];
                /**
                 * @description The figure in force at this month's end (UTC). Not together with `date`.
                 * @example 2025-01
                 */
                month?: components["parameters"]["MonthOfFigure"];
                /**
                 * @description The figure in force at 00:00:00 UTC of this day. Not together with `month`.
                 * @example 2025-01-31
                 */
                date?: components["parameters"]["Date"];
            };
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figure: whole tokens, digits only; with `decimals=exact` all its decimals. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["LastModified"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WholeTokens"] | components["schemas"]["ResultForm"] | components["schemas"]["TokensWithDecimals"] | components["schemas"]["ExactResultForm"];
                    /** @example 672869584 */
                    "text/plain": components["schemas"]["Digits"] | components["schemas"]["DecimalDigits"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDailyCirculatingSupply: {
        parameters: {
            query?: {
                /** @description `number`: a bare JSON number. `plain`: the same digits as text/plain (also when Accept prefers it). `result`: `{"result":"<digits>"}`. */
                format?: components["parameters"]["Format"];
                /** @description `exact`: the figure with all its decimals, canonical: no trailing zero, no exponent. Without it: whole tokens, rounded down. */
                decimals?: components["parameters"]["Decimals"];
                /**
                 * @description The figure in force at 00:00:00 UTC of this day. Not together with `month`.
                 * @example 2025-01-31
                 */
                date?: components["parameters"]["Date"];
            };
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figure: whole tokens, digits only; with `decimals=exact` all its decimals. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["LastModified"];
                    Vary: components["headers"]["Vary"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WholeTokens"] | components["schemas"]["ResultForm"] | components["schemas"]["TokensWithDecimals"] | components["schemas"]["ExactResultForm"];
                    /** @example 672869584 */
                    "text/plain": components["schemas"]["Digits"] | components["schemas"]["DecimalDigits"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCirculatingSupplyOnChain: {
        parameters: {
            query?: {
                /** @description `number`: a bare JSON number. `plain`: the same digits as text/plain (also when Accept prefers it). `result`: `{"result":"<digits>"}`. */
                format?: components["parameters"]["Format"];
                /** @description `exact`: the figure with all its decimals, canonical: no trailing zero, no exponent. Without it: whole tokens, rounded down. */
                decimals?: components["parameters"]["Decimals"];
            };
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figure: whole tokens, digits only; with `decimals=exact` all its decimals. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Age: components["headers"]["Age"];
                    "Cache-Status": components["headers"]["CacheStatus"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    "X-Ledger-Version": components["headers"]["LedgerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnChainWholeTokens"] | components["schemas"]["ResultForm"] | components["schemas"]["TokensWithDecimals"] | components["schemas"]["ExactResultForm"];
                    /** @example 646217408 */
                    "text/plain": components["schemas"]["Digits"] | components["schemas"]["DecimalDigits"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHybridCirculatingSupply: {
        parameters: {
            query?: {
                /** @description `number`: a bare JSON number. `plain`: the same digits as text/plain (also when Accept prefers it). `result`: `{"result":"<digits>"}`. */
                format?: components["parameters"]["Format"];
                /** @description `exact`: the figure with all its decimals, canonical: no trailing zero, no exponent. Without it: whole tokens, rounded down. */
                decimals?: components["parameters"]["Decimals"];
            };
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figure: whole tokens, digits only; with `decimals=exact` all its decimals. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Age: components["headers"]["Age"];
                    "Cache-Status": components["headers"]["CacheStatus"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    "X-Ledger-Version": components["headers"]["LedgerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnChainWholeTokens"] | components["schemas"]["ResultForm"] | components["schemas"]["TokensWithDecimals"] | components["schemas"]["ExactResultForm"];
                    /** @example 646217408 */
                    "text/plain": components["schemas"]["Digits"] | components["schemas"]["DecimalDigits"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCirculatingSupplyAbovePlan: {
        parameters: {
            query?: {
                /** @description `number`: a bare JSON number. `plain`: the same digits as text/plain (also when Accept prefers it). `result`: `{"result":"<digits>"}`. */
                format?: components["parameters"]["Format"];
                /** @description `exact`: the figure with all its decimals, canonical: no trailing zero, no exponent. Without it: whole tokens, rounded down. */
                decimals?: components["parameters"]["Decimals"];
            };
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figure: whole tokens, digits only; with `decimals=exact` all its decimals. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Age: components["headers"]["Age"];
                    "Cache-Status": components["headers"]["CacheStatus"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    "X-Ledger-Version": components["headers"]["LedgerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnChainWholeTokens"] | components["schemas"]["ResultForm"] | components["schemas"]["TokensWithDecimals"] | components["schemas"]["ExactResultForm"];
                    /** @example 0 */
                    "text/plain": components["schemas"]["Digits"] | components["schemas"]["DecimalDigits"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTotalSupply: {
        parameters: {
            query?: {
                /** @description `number`: a bare JSON number. `plain`: the same digits as text/plain (also when Accept prefers it). `result`: `{"result":"<digits>"}`. */
                format?: components["parameters"]["Format"];
                /** @description `exact`: the figure with all its decimals, canonical: no trailing zero, no exponent. Without it: whole tokens, rounded down. */
                decimals?: components["parameters"]["Decimals"];
            };
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figure: whole tokens, digits only; with `decimals=exact` all its decimals. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Age: components["headers"]["Age"];
                    "Cache-Status": components["headers"]["CacheStatus"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    "X-Ledger-Version": components["headers"]["LedgerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnChainWholeTokens"] | components["schemas"]["ResultForm"] | components["schemas"]["TokensWithDecimals"] | components["schemas"]["ExactResultForm"];
                    /** @example 1000000000 */
                    "text/plain": components["schemas"]["Digits"] | components["schemas"]["DecimalDigits"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBurnedSupply: {
        parameters: {
            query?: {
                /** @description `number`: a bare JSON number. `plain`: the same digits as text/plain (also when Accept prefers it). `result`: `{"result":"<digits>"}`. */
                format?: components["parameters"]["Format"];
                /** @description `exact`: the figure with all its decimals, canonical: no trailing zero, no exponent. Without it: whole tokens, rounded down. */
                decimals?: components["parameters"]["Decimals"];
            };
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figure: whole tokens, digits only; with `decimals=exact` all its decimals. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Age: components["headers"]["Age"];
                    "Cache-Status": components["headers"]["CacheStatus"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    "X-Ledger-Version": components["headers"]["LedgerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnChainWholeTokens"] | components["schemas"]["ResultForm"] | components["schemas"]["TokensWithDecimals"] | components["schemas"]["ExactResultForm"];
                    /** @example 1250000 */
                    "text/plain": components["schemas"]["Digits"] | components["schemas"]["DecimalDigits"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBurnedByContract: {
        parameters: {
            query?: {
                /** @description `number`: a bare JSON number. `plain`: the same digits as text/plain (also when Accept prefers it). `result`: `{"result":"<digits>"}`. */
                format?: components["parameters"]["Format"];
                /** @description `exact`: the figure with all its decimals, canonical: no trailing zero, no exponent. Without it: whole tokens, rounded down. */
                decimals?: components["parameters"]["Decimals"];
            };
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figure: whole tokens, digits only; with `decimals=exact` all its decimals. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Age: components["headers"]["Age"];
                    "Cache-Status": components["headers"]["CacheStatus"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    "X-Ledger-Version": components["headers"]["LedgerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnChainWholeTokens"] | components["schemas"]["ResultForm"] | components["schemas"]["TokensWithDecimals"] | components["schemas"]["ExactResultForm"];
                    /** @example 0 */
                    "text/plain": components["schemas"]["Digits"] | components["schemas"]["DecimalDigits"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEscrowShortfall: {
        parameters: {
            query?: {
                /** @description `number`: a bare JSON number. `plain`: the same digits as text/plain (also when Accept prefers it). `result`: `{"result":"<digits>"}`. */
                format?: components["parameters"]["Format"];
                /** @description `exact`: the figure with all its decimals, canonical: no trailing zero, no exponent. Without it: whole tokens, rounded down. */
                decimals?: components["parameters"]["Decimals"];
            };
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figure: whole tokens, digits only; with `decimals=exact` all its decimals. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Age: components["headers"]["Age"];
                    "Cache-Status": components["headers"]["CacheStatus"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    "X-Ledger-Version": components["headers"]["LedgerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnChainWholeTokens"] | components["schemas"]["ResultForm"] | components["schemas"]["TokensWithDecimals"] | components["schemas"]["ExactResultForm"];
                    /** @example 0 */
                    "text/plain": components["schemas"]["Digits"] | components["schemas"]["DecimalDigits"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getStakedSupply: {
        parameters: {
            query?: {
                /** @description `number`: a bare JSON number. `plain`: the same digits as text/plain (also when Accept prefers it). `result`: `{"result":"<digits>"}`. */
                format?: components["parameters"]["Format"];
                /** @description `exact`: the figure with all its decimals, canonical: no trailing zero, no exponent. Without it: whole tokens, rounded down. */
                decimals?: components["parameters"]["Decimals"];
            };
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figure: whole tokens, digits only; with `decimals=exact` all its decimals. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Age: components["headers"]["Age"];
                    "Cache-Status": components["headers"]["CacheStatus"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    "X-Ledger-Version": components["headers"]["LedgerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnChainWholeTokens"] | components["schemas"]["ResultForm"] | components["schemas"]["TokensWithDecimals"] | components["schemas"]["ExactResultForm"];
                    /** @example 1250000 */
                    "text/plain": components["schemas"]["Digits"] | components["schemas"]["DecimalDigits"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getStakedPercent: {
        parameters: {
            query?: {
                /** @description `number`: a bare JSON number. `plain`: the same digits as text/plain (also when Accept prefers it). `result`: `{"result":"<digits>"}`. */
                format?: components["parameters"]["Format"];
            };
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The percentage, with its decimals and without trailing zeros. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Age: components["headers"]["Age"];
                    "Cache-Status": components["headers"]["CacheStatus"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    "X-Ledger-Version": components["headers"]["LedgerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Share"] | components["schemas"]["ResultForm"] | components["schemas"]["ExactResultForm"];
                    /** @example 61.42345 */
                    "text/plain": components["schemas"]["Digits"] | components["schemas"]["DecimalDigits"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getYearlyEmission: {
        parameters: {
            query?: {
                /** @description `number`: a bare JSON number. `plain`: the same digits as text/plain (also when Accept prefers it). `result`: `{"result":"<digits>"}`. */
                format?: components["parameters"]["Format"];
                /** @description `exact`: the figure with all its decimals, canonical: no trailing zero, no exponent. Without it: whole tokens, rounded down. */
                decimals?: components["parameters"]["Decimals"];
            };
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figure: whole tokens, digits only; with `decimals=exact` all its decimals. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Age: components["headers"]["Age"];
                    "Cache-Status": components["headers"]["CacheStatus"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    "X-Ledger-Version": components["headers"]["LedgerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnChainWholeTokens"] | components["schemas"]["ResultForm"] | components["schemas"]["TokensWithDecimals"] | components["schemas"]["ExactResultForm"];
                    /** @example 32500 */
                    "text/plain": components["schemas"]["Digits"] | components["schemas"]["DecimalDigits"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getStableSupply: {
        parameters: {
            query?: {
                /** @description `number`: a bare JSON number. `plain`: the same digits as text/plain (also when Accept prefers it). `result`: `{"result":"<digits>"}`. */
                format?: components["parameters"]["Format"];
                /** @description `exact`: the figure with all its decimals, canonical: no trailing zero, no exponent. Without it: whole tokens, rounded down. */
                decimals?: components["parameters"]["Decimals"];
            };
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The figure: whole tokens, digits only; with `decimals=exact` all its decimals. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Age: components["headers"]["Age"];
                    "Cache-Status": components["headers"]["CacheStatus"];
                    Vary: components["headers"]["Vary"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    "X-Ledger-Version": components["headers"]["LedgerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnChainWholeTokens"] | components["schemas"]["ResultForm"] | components["schemas"]["TokensWithDecimals"] | components["schemas"]["ExactResultForm"];
                    /** @example 50000000 */
                    "text/plain": components["schemas"]["Digits"] | components["schemas"]["DecimalDigits"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSupply: {
        parameters: {
            query?: never;
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every supply figure, exact. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Age: components["headers"]["Age"];
                    "Cache-Status": components["headers"]["CacheStatus"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    Vary: components["headers"]["VersionVary"];
                    "X-Ledger-Version": components["headers"]["LedgerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Supply"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            /** @description The schedule has not started, or the service is unavailable. */
            503: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "Cache-Control": components["headers"]["NoStore"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    "X-API-Version": components["headers"]["VersionOnErrors"];
                    Vary: components["headers"]["VersionVary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The schedule starts at 2027-01-15T00:00:00Z; there is no figure before.",
                     *       "error_code": "service_unavailable",
                     *       "state": "not_started",
                     *       "starts_at": "2027-01-15T00:00:00Z",
                     *       "max": {
                     *         "tokens": "1000000000",
                     *         "base_units": "100000000000000000"
                     *       },
                     *       "next_unlock": {
                     *         "at": "2027-01-15T00:00:00Z",
                     *         "amount": {
                     *           "tokens": "130000000",
                     *           "base_units": "13000000000000000"
                     *         },
                     *         "buckets": []
                     *       },
                     *       "schedule_revision": 1
                     *     }
                     */
                    "application/json": components["schemas"]["SupplyUnavailable"];
                };
            };
        };
    };
    getUnlockSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The unlock schedule, month by month. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["LastModified"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    Vary: components["headers"]["VersionVary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnlockSchedule"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUnlockScheduleCsv: {
        parameters: {
            query?: {
                /** @description `base_units`: bucket columns in base units. `tokens`: bucket columns in tokens, exact, without rounding. */
                unit?: components["parameters"]["CsvUnit"];
                /**
                 * @description `1`: the file begins with a byte order mark (UTF-8), by which Excel reads its names when it is opened by a double click.
                 * @example 1
                 */
                bom?: components["parameters"]["ByteOrderMark"];
            };
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The unlock schedule as CSV. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["LastModified"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    Vary: components["headers"]["VersionVary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example month,effective_from,circulating,circulating_base_units
                     *     2022-10,2022-10-12T00:00:00Z,130000000,13000000000000000
                     */
                    "text/csv": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRates: {
        parameters: {
            query?: {
                /** @description Only the product of this `id`. */
                id?: components["parameters"]["RatesId"];
                /** @description Only products of this `kind`. */
                kind?: components["parameters"]["RatesKind"];
                /** @description Only products of this `provider`. */
                provider?: components["parameters"]["RatesProvider"];
                /** @description Only products on this `chain`. */
                chain?: components["parameters"]["RatesChain"];
                /** @description Only products of the asset with this `symbol`. */
                asset?: components["parameters"]["RatesAsset"];
                /** @description Only products of this `status`. */
                status?: components["parameters"]["RatesStatus"];
                /** @description Only products of this `source`. */
                source?: components["parameters"]["RatesSource"];
            };
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Yield products. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Age: components["headers"]["Age"];
                    "Cache-Status": components["headers"]["CacheStatus"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["ListedAt"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    "X-Ledger-Version": components["headers"]["LedgerVersion"];
                    Vary: components["headers"]["VersionVary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Rates"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRate: {
        parameters: {
            query?: {
                /**
                 * @description Only this value of the product, as a bare number. 404 while it is null in the product's row, 503 when the row is out of date.
                 * @example apy
                 */
                value?: components["parameters"]["RateValue"];
                /** @description Only with `value`. `number`: a bare JSON number. `plain`: the same digits as text/plain (also when Accept prefers it). `result`: `{"result":"<digits>"}`. */
                format?: components["parameters"]["RateFormat"];
            };
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /**
                 * @description A product's `id` from `/api/rates`, percent-encoded.
                 * @example native-staking
                 */
                id: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The product, or with `value` a bare number: at most five decimals for rates, never an exponent. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Age: components["headers"]["Age"];
                    "Cache-Status": components["headers"]["CacheStatus"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["ListedAt"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    "X-Ledger-Version": components["headers"]["LedgerVersion"];
                    Vary: components["headers"]["VersionVary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["YieldProduct"] | components["schemas"]["SignedDecimalNumber"] | components["schemas"]["RateResult"];
                    /** @example 7.25933 */
                    "text/plain": components["schemas"]["SignedDecimalDigits"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Health of this service. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    Vary: components["headers"]["VersionVary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            /** @description A figure cannot be served. The report is also an Error object. */
            503: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "Cache-Control": components["headers"]["NoStore"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    "X-API-Version": components["headers"]["VersionOnErrors"];
                    Vary: components["headers"]["VersionVary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description This document. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    Vary: components["headers"]["VersionVary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAllocations: {
        parameters: {
            query?: never;
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The allocations and how each unlocks. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["LastModified"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    Vary: components["headers"]["VersionVary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": {
                     *         "symbol": "APT",
                     *         "name": "Aptos",
                     *         "decimals": 8
                     *       },
                     *       "max_supply": {
                     *         "tokens": "1000000000",
                     *         "base_units": "100000000000000000"
                     *       },
                     *       "schedule_revision": 1,
                     *       "publisher": "Aptos Foundation",
                     *       "published_at": "2022-10-18",
                     *       "sources": [
                     *         {
                     *           "title": "Tokenomics",
                     *           "url": "https://example.org/tokenomics"
                     *         }
                     *       ],
                     *       "methodology": null,
                     *       "sample": true,
                     *       "state": "running",
                     *       "starts_at": "2022-10-12T00:00:00Z",
                     *       "effective_from": "2026-11-12T00:00:00Z",
                     *       "published_as": "buckets",
                     *       "unlocked": {
                     *         "tokens": "677413062.13785833",
                     *         "base_units": "67741306213785833"
                     *       },
                     *       "locked": {
                     *         "tokens": "322586937.86214167",
                     *         "base_units": "32258693786214167"
                     *       },
                     *       "allocations": [
                     *         {
                     *           "id": "foundation",
                     *           "label": "Foundation",
                     *           "category": "foundation",
                     *           "allocation": {
                     *             "tokens": "165000000",
                     *             "base_units": "16500000000000000"
                     *           },
                     *           "percent_of_max": "16.5",
                     *           "genesis": {
                     *             "tokens": "5000000",
                     *             "base_units": "500000000000000"
                     *           },
                     *           "phases": [
                     *             {
                     *               "kind": "installments",
                     *               "amount": {
                     *                 "tokens": "160000000",
                     *                 "base_units": "16000000000000000"
                     *               },
                     *               "from": "2022-11-12",
                     *               "to": "2032-10-12",
                     *               "installments": 120,
                     *               "every_months": 1,
                     *               "every_days": null
                     *             }
                     *           ],
                     *           "unlocked": {
                     *             "tokens": "70333333.33333333",
                     *             "base_units": "7033333333333333"
                     *           },
                     *           "locked": {
                     *             "tokens": "94666666.66666667",
                     *             "base_units": "9466666666666667"
                     *           },
                     *           "percent_unlocked": "42.6262",
                     *           "next_unlock": {
                     *             "at": "2026-12-12T00:00:00Z",
                     *             "amount": {
                     *               "tokens": "1333333.33333333",
                     *               "base_units": "133333333333333"
                     *             }
                     *           },
                     *           "addresses": [
                     *             {
                     *               "chain": "native",
                     *               "address": "0xf",
                     *               "label": "Foundation treasury",
                     *               "holds": "account",
                     *               "verification": "on_chain"
                     *             }
                     *           ],
                     *           "source": null,
                     *           "precision": "stated"
                     *         }
                     *       ],
                     *       "wallets": []
                     *     }
                     */
                    "application/json": components["schemas"]["Allocations"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUnlockEvents: {
        parameters: {
            query?: {
                /** @description The first day (UTC), included. Absent: from the beginning. */
                from?: components["parameters"]["From"];
                /** @description The last day (UTC), included. Absent: to the end. */
                to?: components["parameters"]["To"];
            };
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every unlock, past and future. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["LastModified"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    Vary: components["headers"]["VersionVary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": {
                     *         "symbol": "APT",
                     *         "name": "Aptos",
                     *         "decimals": 8
                     *       },
                     *       "max_supply": {
                     *         "tokens": "1000000000",
                     *         "base_units": "100000000000000000"
                     *       },
                     *       "schedule_revision": 1,
                     *       "from": "2022-10-01",
                     *       "to": "2022-10-31",
                     *       "count": 1,
                     *       "data": [
                     *         {
                     *           "at": "2022-10-12T00:00:00Z",
                     *           "amount": {
                     *             "tokens": "130000000",
                     *             "base_units": "13000000000000000"
                     *           },
                     *           "cumulative": {
                     *             "tokens": "130000000",
                     *             "base_units": "13000000000000000"
                     *           },
                     *           "percent_of_max": "13",
                     *           "percent_of_circulating": null,
                     *           "buckets": [
                     *             {
                     *               "id": "community",
                     *               "label": "Community",
                     *               "category": "community",
                     *               "kind": "cliff",
                     *               "amount": {
                     *                 "tokens": "125000000",
                     *                 "base_units": "12500000000000000"
                     *               },
                     *               "source": null,
                     *               "adjustment": null,
                     *               "restated": null
                     *             },
                     *             {
                     *               "id": "foundation",
                     *               "label": "Foundation",
                     *               "category": "foundation",
                     *               "kind": "cliff",
                     *               "amount": {
                     *                 "tokens": "5000000",
                     *                 "base_units": "500000000000000"
                     *               },
                     *               "source": null,
                     *               "adjustment": null,
                     *               "restated": null
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UnlockEvents"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUnlockEventsCsv: {
        parameters: {
            query?: {
                /** @description The first day (UTC), included. Absent: from the beginning. */
                from?: components["parameters"]["From"];
                /** @description The last day (UTC), included. Absent: to the end. */
                to?: components["parameters"]["To"];
                /**
                 * @description `1`: the file begins with a byte order mark (UTF-8), by which Excel reads its names when it is opened by a double click.
                 * @example 1
                 */
                bom?: components["parameters"]["ByteOrderMark"];
            };
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every unlock as CSV. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["LastModified"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    Vary: components["headers"]["VersionVary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example at,bucket,label,category,kind,amount,amount_base_units,cumulative,cumulative_base_units,token,decimals
                     *     2022-10-12T00:00:00Z,community,Community,community,cliff,125000000,12500000000000000,130000000,13000000000000000,APT,8
                     */
                    "text/csv": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUnlockEventsCalendar: {
        parameters: {
            query?: never;
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every unlock as a calendar. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    "Last-Modified": components["headers"]["LastModified"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    Vary: components["headers"]["VersionVary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example BEGIN:VCALENDAR
                     *     VERSION:2.0
                     *     PRODID:-//edge-api//unlock events//EN
                     *     END:VCALENDAR
                     */
                    "text/calendar": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSupplyBreakdown: {
        parameters: {
            query?: never;
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Total supply minus the locked wallets, read from the chain. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Age: components["headers"]["Age"];
                    "Cache-Status": components["headers"]["CacheStatus"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    Vary: components["headers"]["VersionVary"];
                    "X-Ledger-Version": components["headers"]["LedgerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": {
                     *         "symbol": "APT",
                     *         "name": "Aptos",
                     *         "decimals": 8
                     *       },
                     *       "asset": "0x1::aptos_coin::AptosCoin",
                     *       "schedule_revision": 1,
                     *       "as_of": "2026-11-21T12:00:00Z",
                     *       "ledger_version": "1234",
                     *       "confirmed_by": {
                     *         "nodes": [
                     *           "upstream-1",
                     *           "upstream-2"
                     *         ],
                     *         "ledger_version": "1234",
                     *         "at": "2026-11-21T12:00:00Z"
                     *       },
                     *       "minted_supply": {
                     *         "tokens": "1000000",
                     *         "base_units": "100000000000000"
                     *       },
                     *       "burned_supply": {
                     *         "tokens": "0",
                     *         "base_units": "0"
                     *       },
                     *       "total_supply": {
                     *         "tokens": "1000000",
                     *         "base_units": "100000000000000"
                     *       },
                     *       "non_circulating_supply": {
                     *         "tokens": "400000",
                     *         "base_units": "40000000000000"
                     *       },
                     *       "circulating_supply_on_chain": {
                     *         "tokens": "600000",
                     *         "base_units": "60000000000000"
                     *       },
                     *       "unavailable": {},
                     *       "circulating_supply_scheduled": {
                     *         "tokens": "600000",
                     *         "base_units": "60000000000000"
                     *       },
                     *       "complete": true,
                     *       "buckets": [
                     *         {
                     *           "id": "team",
                     *           "label": "Team",
                     *           "category": "team",
                     *           "locked_by_schedule": {
                     *             "tokens": "400000",
                     *             "base_units": "40000000000000"
                     *           },
                     *           "held_on_chain": {
                     *             "tokens": "400000",
                     *             "base_units": "40000000000000"
                     *           },
                     *           "difference": {
                     *             "tokens": "0",
                     *             "base_units": "0"
                     *           }
                     *         }
                     *       ],
                     *       "constants": [],
                     *       "non_circulating_wallets": [
                     *         {
                     *           "bucket": "team",
                     *           "category": "team",
                     *           "chain": "native",
                     *           "address": "0xa",
                     *           "label": "Team vesting",
                     *           "holds": "account",
                     *           "pool": null,
                     *           "operator": null,
                     *           "view": null,
                     *           "contract": null,
                     *           "verification": "on_chain",
                     *           "balance": {
                     *             "tokens": "400000",
                     *             "base_units": "40000000000000"
                     *           },
                     *           "stake": null,
                     *           "percentage_of_total_supply": "40",
                     *           "anomaly": false,
                     *           "anomaly_reason": null,
                     *           "observed_balance": null,
                     *           "ledger_version": "1234",
                     *           "last_updated": "2026-11-21T12:00:00Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SupplyBreakdown"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            /** @description A listed wallet has no balance, or the service is unavailable. */
            503: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "Cache-Control": components["headers"]["NoStore"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    "X-API-Version": components["headers"]["VersionOnErrors"];
                    Vary: components["headers"]["VersionVary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The supply breakdown is incomplete: wallet 0xa (Team vesting) was never read: the chain node does not answer.",
                     *       "error_code": "service_unavailable",
                     *       "total_supply": {
                     *         "tokens": "1000000",
                     *         "base_units": "100000000000000"
                     *       },
                     *       "non_circulating_supply": null,
                     *       "unavailable": {
                     *         "non_circulating_supply": "wallet 0xa (Team vesting) was never read: the chain node does not answer"
                     *       },
                     *       "complete": false
                     *     }
                     */
                    "application/json": components["schemas"]["SupplyBreakdownUnavailable"];
                };
            };
        };
    };
    getPage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the page and the embeds show, in one document. */
            200: {
                headers: {
                    RateLimit: components["headers"]["PageRateLimit"];
                    "RateLimit-Policy": components["headers"]["PageRateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Age: components["headers"]["Age"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    Vary: components["headers"]["VersionVary"];
                    "X-Ledger-Version": components["headers"]["LedgerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page"];
                };
            };
            304: components["responses"]["PageNotModified"];
            400: components["responses"]["PageBadRequest"];
            404: components["responses"]["PageNotFound"];
            405: components["responses"]["PageMethodNotAllowed"];
            410: components["responses"]["PageVersionRemoved"];
            429: components["responses"]["PageTooManyRequests"];
            503: components["responses"]["PageUnavailable"];
        };
    };
    getPageHistory: {
        parameters: {
            query?: never;
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The recorded days that the page shows. */
            200: {
                headers: {
                    RateLimit: components["headers"]["PageRateLimit"];
                    "RateLimit-Policy": components["headers"]["PageRateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    Vary: components["headers"]["VersionVary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PageHistory"];
                };
            };
            304: components["responses"]["PageNotModified"];
            400: components["responses"]["PageBadRequest"];
            404: components["responses"]["PageNotFound"];
            405: components["responses"]["PageMethodNotAllowed"];
            410: components["responses"]["PageVersionRemoved"];
            429: components["responses"]["PageTooManyRequests"];
            503: components["responses"]["PageUnavailable"];
        };
    };
    getHistory: {
        parameters: {
            query?: {
                /** @description Only this figure; absent: every figure. */
                figure?: components["parameters"]["FigureOfHistory"];
                /** @description The first day (UTC), included. Absent: 365 days before the last. At most ten years are stored. */
                from?: components["parameters"]["HistoryFrom"];
                /** @description The last day (UTC), included. Absent: today. */
                to?: components["parameters"]["HistoryTo"];
            };
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Figures read from the chain, day by day. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    Vary: components["headers"]["VersionVary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "from": "2026-11-21",
                     *       "to": "2026-11-21",
                     *       "count": 1,
                     *       "data": [
                     *         {
                     *           "date": "2026-11-21",
                     *           "figure": "total_supply",
                     *           "tokens": "1000000000",
                     *           "base_units": "100000000000000000",
                     *           "decimals": 8,
                     *           "ledger_version": "1234",
                     *           "observed_at": "2026-11-21T00:07:00Z",
                     *           "source": "observed",
                     *           "corrected": false,
                     *           "witnesses": 2
                     *         }
                     *       ],
                     *       "corrections": []
                     *     }
                     */
                    "application/json": components["schemas"]["History"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHistoryCsv: {
        parameters: {
            query?: {
                /** @description Only this figure; absent: every figure. */
                figure?: components["parameters"]["FigureOfHistory"];
                /** @description The first day (UTC), included. Absent: 365 days before the last. At most ten years are stored. */
                from?: components["parameters"]["HistoryFrom"];
                /** @description The last day (UTC), included. Absent: today. */
                to?: components["parameters"]["HistoryTo"];
                /**
                 * @description `1`: the file begins with a byte order mark (UTF-8), by which Excel reads its names when it is opened by a double click.
                 * @example 1
                 */
                bom?: components["parameters"]["ByteOrderMark"];
            };
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Figures read from the chain, as CSV. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    Vary: components["headers"]["VersionVary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example date,figure,tokens,base_units,decimals,ledger_version,observed_at,source,corrected,witnesses
                     *     2026-11-21,total_supply,1000000000,100000000000000000,8,1234,2026-11-21T00:07:00Z,observed,false,2
                     */
                    "text/csv": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRateHistory: {
        parameters: {
            query?: {
                /** @description The first day (UTC), included. Absent: 365 days before the last. At most ten years are stored. */
                from?: components["parameters"]["HistoryFrom"];
                /** @description The last day (UTC), included. Absent: today. */
                to?: components["parameters"]["HistoryTo"];
            };
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /**
                 * @description A product's `id` from `/api/rates`, percent-encoded.
                 * @example native-staking
                 */
                id: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One yield product, day by day. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    Vary: components["headers"]["VersionVary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "native-staking",
                     *       "from": "2026-11-21",
                     *       "to": "2026-11-21",
                     *       "count": 1,
                     *       "data": [
                     *         {
                     *           "date": "2026-11-21",
                     *           "apy": 7,
                     *           "apy_base": 7,
                     *           "apy_reward": 0,
                     *           "apy_mean_7d": null,
                     *           "apy_mean_7d_base": null,
                     *           "apy_mean_7d_reward": null,
                     *           "apy_mean_30d": null,
                     *           "apy_mean_30d_base": null,
                     *           "apy_mean_30d_reward": null,
                     *           "apy_mean_90d": null,
                     *           "apy_mean_90d_base": null,
                     *           "apy_mean_90d_reward": null,
                     *           "apy_mean_365d": null,
                     *           "apy_mean_365d_base": null,
                     *           "apy_mean_365d_reward": null,
                     *           "tvl": null,
                     *           "tvl_usd": null,
                     *           "observed_at": "2026-11-21T00:07:00Z",
                     *           "source": "ledger",
                     *           "corrected": false
                     *         }
                     *       ],
                     *       "corrections": []
                     *     }
                     */
                    "application/json": components["schemas"]["RateHistory"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFeed: {
        parameters: {
            query?: never;
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description News about the schedule and the service. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    Vary: components["headers"]["VersionVary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml": string;
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBadge: {
        parameters: {
            query?: never;
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /**
                 * @description `apy` is the highest of an active yield product.
                 * @example circulating-supply
                 */
                figure: components["parameters"]["BadgeFigure"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The badge, in the schema of a shields.io endpoint badge. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Age: components["headers"]["Age"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    Vary: components["headers"]["VersionVary"];
                    "X-Ledger-Version": components["headers"]["LedgerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemaVersion": 1,
                     *       "label": "circulating supply",
                     *       "message": "677.41M XYZ",
                     *       "color": "#14506e"
                     *     }
                     */
                    "application/json": components["schemas"]["Badge"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            /** @description The schedule has not started, or the service is unavailable. */
            503: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "Cache-Control": components["headers"]["NoStore"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    "X-API-Version": components["headers"]["VersionOnErrors"];
                    Vary: components["headers"]["VersionVary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The schedule starts at 2027-01-15T00:00:00Z; there is no figure before.",
                     *       "error_code": "service_unavailable",
                     *       "state": "not_started",
                     *       "starts_at": "2027-01-15T00:00:00Z",
                     *       "max": {
                     *         "tokens": "1000000000",
                     *         "base_units": "100000000000000000"
                     *       },
                     *       "next_unlock": {
                     *         "at": "2027-01-15T00:00:00Z",
                     *         "amount": {
                     *           "tokens": "130000000",
                     *           "base_units": "13000000000000000"
                     *         },
                     *         "buckets": []
                     *       },
                     *       "schedule_revision": 1
                     *     }
                     */
                    "application/json": components["schemas"]["SupplyUnavailable"];
                };
            };
        };
    };
    getProductBadge: {
        parameters: {
            query?: never;
            header?: {
                /** @description Pins the API version; absent means the current one. */
                "X-API-Version"?: components["parameters"]["ApiVersion"];
            };
            path: {
                /**
                 * @description A product's `id` from `/api/rates`, percent-encoded.
                 * @example native-staking
                 */
                id: components["parameters"]["ProductId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The badge, in the schema of a shields.io endpoint badge. */
            200: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "X-API-Version": components["headers"]["ApiVersion"];
                    "Cache-Control": components["headers"]["CacheControl"];
                    ETag: components["headers"]["ETag"];
                    Age: components["headers"]["Age"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    Vary: components["headers"]["VersionVary"];
                    "X-Ledger-Version": components["headers"]["LedgerVersion"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "schemaVersion": 1,
                     *       "label": "circulating supply",
                     *       "message": "677.41M XYZ",
                     *       "color": "#14506e"
                     *     }
                     */
                    "application/json": components["schemas"]["Badge"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["VersionRemoved"];
            429: components["responses"]["TooManyRequests"];
            /** @description The schedule has not started, or the service is unavailable. */
            503: {
                headers: {
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    Deprecation: components["headers"]["Deprecation"];
                    Sunset: components["headers"]["Sunset"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    "Access-Control-Allow-Origin": components["headers"]["AllowOrigin"];
                    "Access-Control-Expose-Headers": components["headers"]["ExposeHeaders"];
                    "X-Content-Type-Options": components["headers"]["NoSniff"];
                    "Cache-Control": components["headers"]["NoStore"];
                    "Retry-After": components["headers"]["RetryAfter"];
                    Link: components["headers"]["VersionLink"];
                    "Cross-Origin-Resource-Policy": components["headers"]["ResourcePolicy"];
                    "X-API-Version": components["headers"]["VersionOnErrors"];
                    Vary: components["headers"]["VersionVary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "message": "The schedule starts at 2027-01-15T00:00:00Z; there is no figure before.",
                     *       "error_code": "service_unavailable",
                     *       "state": "not_started",
                     *       "starts_at": "2027-01-15T00:00:00Z",
                     *       "max": {
                     *         "tokens": "1000000000",
                     *         "base_units": "100000000000000000"
                     *       },
                     *       "next_unlock": {
                     *         "at": "2027-01-15T00:00:00Z",
                     *         "amount": {
                     *           "tokens": "130000000",
                     *           "base_units": "13000000000000000"
                     *         },
                     *         "buckets": []
                     *       },
                     *       "schedule_revision": 1
                     *     }
                     */
                    "application/json": components["schemas"]["SupplyUnavailable"];
                };
            };
        };
    };
}
