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
         * @description Maximum supply of the native token in whole tokens. Fixed; it never changes.
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
         * @description Circulating supply of the native token in whole tokens, for the current month (UTC), or for another month or day, past or future. After the last step of the schedule the last figure stays.
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
    "/api/total-supply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Total supply
         * @description What exists on chain now of the native token, in whole tokens, read from a chain node.
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
    "/api/stable-supply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stable token supply
         * @description What exists on chain now of the stable token, in whole tokens, read from a chain node. Its coin and fungible-asset forms are never counted twice.
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
         * @description Maximum, total, circulating and locked supply in tokens and base units as decimal strings, and the next unlock. A figure that an upstream could not give is null, with its reason in `unavailable`.
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
         * @description The same rows: month, effective_from, circulating, circulating_base_units and one base-units column per bucket.
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
         * @description Current yield products and their rates in percent. A value that nobody knows is null; a value that is none is 0.
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
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Health of this service
         * @description Which upstreams answer, how old each figure is, and what is wrong, if anything.
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
            circulating: components["schemas"]["Amount"];
            /** @description Maximum less circulating. */
            locked: components["schemas"]["Amount"];
            /** @description Circulating as percent of the maximum, rounded down. */
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
            /** @description Name of a missing figure to the reason. */
            unavailable: {
                [key: string]: string;
            };
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
        };
        Rates: {
            as_of: components["schemas"]["Instant"];
            count: number;
            data: components["schemas"]["YieldProduct"][];
        };
        /** @description Percent: 5.25 means 5.25 %. At most five decimals; null is unknown, 0 is none. */
        Percent: number | null;
        YieldProduct: {
            id: string;
            name: string;
            /**
             * @description null: the listing does not say what kind of product it is.
             * @enum {string|null}
             */
            kind: "staking" | "liquid_staking" | "lending" | "vault" | "savings" | "liquidity" | null;
            provider: string | null;
            url: string | null;
            asset: {
                symbol: string;
                address: string | null;
                decimals: number | null;
            };
            apy: components["schemas"]["Percent"];
            apy_base: components["schemas"]["Percent"];
            apy_reward: components["schemas"]["Percent"];
            apr: components["schemas"]["Percent"];
            compounds_per_year: number | null;
            /** @enum {string|null} */
            rate_type: "variable" | "fixed" | null;
            /** @enum {string|null} */
            window: "spot" | "24h" | "7d" | "30d" | null;
            apy_mean_30d: components["schemas"]["Percent"];
            tvl: string | null;
            tvl_usd: number | null;
            min_deposit: string | null;
            lockup_seconds: number | null;
            cooldown_seconds: number | null;
            /** @enum {string} */
            status: "active" | "paused" | "deprecated";
            as_of: components["schemas"]["Instant"] | null;
            stale_after: components["schemas"]["Instant"] | null;
            source: string;
            featured: boolean;
            order: number | null;
        };
        Health: {
            /** @description Every problem in one line; on 503 only. */
            message?: string;
            /**
             * @description On 503 only.
             * @enum {string}
             */
            error_code?: "service_unavailable";
            /**
             * @description failing: a figure cannot be served; degraded: every figure can, but something is wrong.
             * @enum {string}
             */
            status: "ok" | "degraded" | "failing";
            checked_at: components["schemas"]["Instant"];
            build_revision: string;
            schedule_revision: number;
            limiter: {
                /**
                 * @description local: the counting objects do not answer and every isolate counts by itself.
                 * @enum {string}
                 */
                mode: "exact" | "local";
                /** @description Policy name to quota/seconds. */
                policies: {
                    [key: string]: string;
                };
            };
            upstreams: {
                label: string;
                reachable: boolean;
                ledger_version: string | null;
                /** @description Versions behind the newest ledger that was published. */
                lag: string | null;
                /** @enum {string} */
                breaker: "closed" | "open" | "half_open";
            }[];
            figures: {
                /** @enum {string} */
                name: "max_supply" | "circulating_supply" | "total_supply" | "stable_supply" | "rates";
                available: boolean;
                /** @description null: there is nothing to serve. */
                age_seconds: number | null;
                /** @description How old it may become while its upstream fails; null: it does not age. */
                bound_seconds: number | null;
            }[];
            problems: {
                code: string;
                subject: string;
                message: string;
            }[];
        };
        /** @description Whole tokens. A chain counts in 128 bits: readers that keep numbers as doubles should ask for text/plain or ?format=result when it exceeds 9007199254740991. */
        OnChainWholeTokens: number;
    };
    responses: {
        /** @description The copy you hold is current. */
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
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description A parameter or the version is not understood; the message names it and what is allowed. */
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
        /** @description There is nothing at this path. */
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
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "There is nothing at this path.",
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
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "message": "This path allows GET, HEAD, OPTIONS.",
                 *       "error_code": "method_not_allowed"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The version asked for is no longer served. */
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
        /** @description The figure cannot be given now. */
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
        Month: string;
        /**
         * @description The figure in force at 00:00:00 UTC of this day. Not together with `month`.
         * @example 2025-01-31
         */
        Date: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description What is left for this caller and in how many seconds there is more.
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
        /** @description Only when a removal date is set (RFC 8594), at least 180 days ahead. */
        Sunset: string;
        /** @description Quote it when you report a problem. */
        RequestId: string;
        /** @description Any page may read this. */
        AllowOrigin: "*";
        /** @description The fields that a page may read. */
        ExposeHeaders: string;
        /** @description The media type is what it says. */
        NoSniff: "nosniff";
        /** @description The version that answered. */
        ApiVersion: "1";
        /** @description How long a copy may be kept; never past the next step. */
        CacheControl: string;
        /** @description Changes when the body changes. */
        ETag: string;
        /** @description When the figure took effect; absent for a period to come. */
        LastModified: string;
        /** @description Seconds since the figure was read from its upstream. */
        Age: number;
        /** @description How the answer came about (RFC 9211). */
        CacheStatus: string;
        /** @description The media type depends on Accept. */
        Vary: string;
        /** @description Seconds to wait. */
        RetryAfter: number;
        /** @description The methods of this path. */
        Allow: string;
        /** @description Errors are never kept. */
        NoStore: "no-store";
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
            /** @description The figure in whole tokens: digits only, nothing around them. */
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WholeTokens"] | components["schemas"]["ResultForm"];
                    /** @example 1000000000 */
                    "text/plain": components["schemas"]["Digits"];
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
                /**
                 * @description The figure in force at this month's end (UTC). Not together with `date`.
                 * @example 2025-01
                 */
                month?: components["parameters"]["Month"];
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
            /** @description The figure in whole tokens: digits only, nothing around them. */
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WholeTokens"] | components["schemas"]["ResultForm"];
                    /** @example 672869584 */
                    "text/plain": components["schemas"]["Digits"];
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
            /** @description The figure in whole tokens: digits only, nothing around them. */
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnChainWholeTokens"] | components["schemas"]["ResultForm"];
                    /** @example 1000000000 */
                    "text/plain": components["schemas"]["Digits"];
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
            /** @description The figure in whole tokens: digits only, nothing around them. */
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
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OnChainWholeTokens"] | components["schemas"]["ResultForm"];
                    /** @example 50000000 */
                    "text/plain": components["schemas"]["Digits"];
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
            503: components["responses"]["Unavailable"];
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
            /** @description A figure cannot be served. The report is an Error object too. */
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
}
