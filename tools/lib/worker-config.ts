/** Section of a Worker's wrangler.toml that is passed to the runtime. */
export interface WorkerConfig {
  readonly name?: string | undefined;
  readonly compatibility_date?: string | undefined;
  readonly compatibility_flags?: string[] | undefined;
  readonly vars?: Readonly<Record<string, unknown>> | undefined;
  readonly durable_objects?: { readonly bindings: readonly { readonly name: string; readonly class_name: string }[] };
  readonly services?: readonly { readonly binding: string; readonly service: string }[] | undefined;
  readonly assets?:
    | {
        readonly directory?: string | undefined;
        readonly binding?: string | undefined;
        readonly run_worker_first?: string[] | boolean | undefined;
        readonly not_found_handling?: "single-page-application" | "404-page" | "none" | undefined;
      }
    | undefined;
}
