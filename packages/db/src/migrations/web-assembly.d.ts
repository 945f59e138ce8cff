/** The part of the WebAssembly API that Node has and the type packages we use do not declare without a browser's DOM. */
declare namespace WebAssembly {
  type Module = { readonly __module: never };
  interface Instance {
    readonly exports: Readonly<Record<string, unknown>>;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
  function instantiate(module: Module, imports: Readonly<Record<string, object>>): Promise<Instance>;
}
