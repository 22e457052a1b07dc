/**
 * Programs with standard decorators, by what they show. Each tells what it does by `log`; `noted` makes a decorator that
 * tells when it is evaluated and when it is called, and with what.
 */
export const PRELUDE = `
declare const log: (...values: unknown[]) => void;
const shown = (value: any): any =>
  typeof value === 'function' ? 'function ' + value.name : value && typeof value === 'object' ? Object.keys(value) : value;
const noted = (label: string, result?: any): any => {
  log('evaluated', label);
  return (value: any, context: any) => {
    const { access, addInitializer, metadata, ...rest } = context;
    log('called', label, shown(value), rest, Object.keys(context), access && Object.keys(access));
    return typeof result === 'function' ? result(value, context) : result;
  };
};
const added = (label: string): any => (_: any, context: any) => {
  context.addInitializer(function (this: any) { log('added', label, typeof this, typeof this === 'function' ? this.name : Object.keys(this)); });
};
`;

export const PROGRAMS: Record<string, string> = {
  'a method is replaced': `
    const twice = (f: any, _: any) => function (this: any, ...all: any[]) { return 2 * f.apply(this, all); };
    class Fee { rate = 10; @twice of(x: number) { return this.rate * x; } }
    log(new Fee().of(1), Object.getOwnPropertyNames(Fee.prototype), Fee.name, Object.keys(new Fee()));`,
  'members in the order of the source': `
    class A {
      @noted('f') f = log('f');
      @noted('m') m() {}
      @noted('s') static s = log('s');
      @noted('sm') static sm() {}
      @noted('g') get g() { return 1; }
      @noted('t') set t(v: number) {}
      @noted('a') accessor a = 1;
      @noted('sa') static accessor sa = 1;
      @noted('one') @noted('two') both() {}
    }
    const a = new A(); log(a.g, a.a, A.sa, Object.keys(a), Object.getOwnPropertyNames(A), Object.getOwnPropertyNames(A.prototype));`,
  'the class after its members': `
    @noted('class') @noted('inner') class A { @noted('m') m() {} @noted('f') f = 1; static s = log('static'); }
    log(A.name, new A().f);`,
  'computed names between decorators': `
    const key = (name: any) => (log('key', name), name);
    class A { @noted('1') [key('a')]() {} [key('b')] = 1; @noted('2') c() {} @noted('3') static [key(Symbol('d'))] = 2; @noted('4') [key(5)] = 3; }
    log(Object.getOwnPropertyNames(A.prototype), Object.keys(new A()));`,
  'a field gets its value through what is returned': `
    const plus = (n: number) => (_: any, __: any) => function (this: any, v: number) { log('initial', n, v, Object.keys(this)); return v + n; };
    class A { @plus(1) @plus(10) a = 1; @plus(100) b!: number; @plus(5) 'with space' = 2; @plus(7) 12 = 3; @plus(9) static s = 4; }
    const a = new A() as any; log(a.a, a.b, a['with space'], a[12], A.s);`,
  'an accessor gets new functions': `
    const doubled = ({ get, set }: any, context: any) => ({
      get(this: any) { return 2 * get.call(this); },
      set(this: any, v: number) { log('set', v); set.call(this, v + 1); },
      init(this: any, v: number) { log('init', v); return v * 10; },
    });
    class A { @doubled accessor x = 1; @doubled static accessor y = 2; @doubled accessor z!: any; plain = 1; }
    const a = new A(); a.x = 5; A.y = 7; log(a.x, A.y, a.z, Object.keys(a));`,
  'accessors without decorators': `
    const k = Symbol('k');
    class A { accessor a = 1; static accessor b = 2; accessor #c = 3; accessor [k] = 4; static accessor #d = 5; accessor 'e f'; accessor 7 = 8;
      c() { this.#c += 1; return this.#c; } static d() { A.#d *= 2; return A.#d; } }
    const a = new A() as any; a.a += 1; A.b += 1; a[k] += 1;
    log(a.a, A.b, a.c(), a[k], A.d(), a['e f'], a[7], Object.keys(a), Object.getOwnPropertyNames(A.prototype));
    class B extends A {} B.b = 9; log(A.b, B.b);`,
  'what initializers are called with, and when': `
    class Base { constructor() { log('base'); } }
    class A extends Base {
      @added('m') m() {} @added('f') f = log('f'); @added('g') get g() { return 1; } @added('sm') static sm() {} @added('sf') static sf = log('sf');
      @added('a') accessor a = log('a'); static { log('block'); } plain = log('plain');
      constructor() { log('before'); super(); log('after'); }
    }
    new A(); new A();`,
  'initializers of a decorated class': `
    @added('class') class A { @added('m') static m() {} static s = log('s'); static { log('block', this === A, typeof A); } @added('f') static f = 1; @added('i') i() {} }
    log('made'); new A();`,
  'bound by an initializer': `
    const bound = (_: any, context: any) => context.addInitializer(function (this: any) { this[context.name] = this[context.name].bind(this); });
    class A { name = 'a'; @bound hi() { return this.name; } }
    const { hi } = new A(); log(hi());`,
  'private members': `
    const plus = (f: any, c: any) => (log(c.kind, c.name, c.private, c.static, f?.name), function (this: any, ...all: any[]) { return 1 + f.call(this, ...all); });
    const field = (_: any, c: any) => (log(c.kind, c.name, c.private), (v: number) => v * 2);
    const acc = ({ get, set }: any, c: any) => (log(c.kind, c.name, get.name, set.name), { get(this: any) { return 3 * get.call(this); } });
    const setter = (f: any, c: any) => (log(c.kind, c.name), function (this: any, v: number) { f.call(this, v * 100); });
    class A {
      @field #f = 21; @plus #m(x: number) { return x * this.#f; } @plus get #g() { return 5; } @acc accessor #a = 2; @setter set #s(v: number) { this.#f = v; }
      @field static #sf = 3; @plus static #sm() { return A.#sf; } @plus static get #sg() { return 8; } @acc static accessor #sa = 4;
      all() { this.#a += 1; this.#s = 3; return [this.#f, this.#m(2), this.#g, this.#a, A.#sf, A.#sm(), A.#sg, A.#sa, #m in this]; }
    }
    log(new A().all(), Object.getOwnPropertyNames(A), Reflect.ownKeys(A.prototype));`,
  'access of decorators': `
    const seen: any[] = [];
    const keep = (_: any, c: any) => { seen.push(c); };
    class A { @keep f = 1; @keep #p = 2; @keep m() { return 3; } @keep get g() { return 4; } @keep set s(v: number) { log('set', v); } @keep accessor a = 5; @keep accessor #b = 6; @keep #pm() {} @keep static z = 7; }
    const a = new A();
    for (const { kind, name, access, static: isStatic } of seen) {
      const target = isStatic ? A : a;
      log(kind, name, access.has(target), access.has({}), access.get && typeof access.get(target));
      if (access.set) { access.set(target, 9); log(access.get?.(target)); }
    }`,
  'what replaces a class': `
    const replaced = (C: any, c: any) => (log(C.name, c.kind, c.name), class extends C { extra = 1; });
    @replaced class A { static made() { return new A(); } static same() { return A; } static self = this; me() { return A; } static n = 1; static m = this.n; }
    const a = A.made() as any; log(a.extra, a.me() === A, A.same() === A, (A as any).self === A, A.name, A.n, A.m);`,
  'a replaced class with static private members': `
    const replaced = (C: any, _: any) => class extends C {};
    @replaced class A { static #n = 1; static #up() { return ++A.#n; } static get #g() { return A.#n * 10; } static go() { return [A.#up(), A.#n, A.#g, #n in A]; } static accessor #a = 5; static a() { A.#a += 1; return A.#a; } }
    log(A.go(), A.a());`,
  metadata: `
    const meta = (value: any) => (_: any, c: any) => { c.metadata[c.name ?? 'class'] = value; };
    @meta('C') class A { @meta(1) x = 1; @meta(2) m() {} }
    class B extends A { @meta(3) y = 1; }
    class N {}
    const of = (C: any) => C[(Symbol as any).metadata];
    log(of(A), of(B), of(B).x, Object.getPrototypeOf(of(B)) === of(A), of(N), Object.getPrototypeOf(of(A)));`,
  'decorators called as methods': `
    const owner = { label: 'o', dec(this: any, f: any, c: any) { log(this?.label, c.name); }, inner: { label: 'i', make(this: any, n: number) { log(this?.label, n); return owner.dec; } } };
    class A { @owner.dec a() {} @owner.inner.make(1) b() {} @(owner['dec']) c = 1; @(owner?.dec) d = 2; }
    @owner.dec class B {}`,
  'class expressions and their names': `
    const plain = (C: any, c: any) => log(c.name, C.name);
    const x = @plain class {}; const y = @plain class Named { static self() { return Named; } }; const z = { prop: @plain class {} };
    let w; w = @plain class {}; const { d = @plain class {} } = {} as any;
    const m = class { @noted('m') m() {} static accessor q = 1; };
    log(x.name, y.name, z.prop.name, (w as any).name, d.name, m.name, y.self() === y, (@plain class {}).name);`,
  inheritance: `
    const twice = (f: any, _: any) => function (this: any) { return 2 * f.call(this); };
    class A { n() { return 1; } get g() { return 10; } }
    class B extends A { @twice n() { return super.n() + 1; } @twice get g() { return super.g; } @twice static s() { return super.toString().length > 0 ? 4 : 0; } }
    log(new B().n(), new B().g, B.s());`,
  'generators and async methods': `
    const plain = (f: any, c: any) => log(c.name, f.constructor.name);
    class A { @plain *a() { yield 1; } @plain async b() { return 2; } @plain async *c() { yield 3; } @plain static *[Symbol.iterator]() { yield 4; } @plain async *#d() { yield 5; } d() { return this.#d(); } }
    log([...new A().a()], [...A], typeof new A().d().next);`,
  'classes within classes': `
    @noted('outer') class A { @noted('field') inner = (@noted('inner') class { @noted('m') m() { return 1; } }); @noted('n') n() { @noted('local') class L { @noted('x') x = 1; } return new L().x; } }
    const a = new A(); log(new a.inner().m(), a.n());`,
  'decorators with access to what is around': `
    function make(this: any, ...given: any[]) { class A { @noted(String(this.tag)) m() { return 1; } @noted(given[0]) f = this; } return new A().m(); }
    log(make.call({ tag: 't' }, 'g', 2));
    for (let i = 0; i < 2; i++) { @noted('loop' + i) class L { @noted('m' + i) m() { return i; } } log(new L().m()); }`,
  'the type parts of a decorated class': `
    interface Shape { area(): number }
    @noted('abstract') abstract class A<T> implements Shape { @noted('r') readonly r: string = 'r'; @noted('o') o?: T; declare d: string; constructor(private p: number, public q = 2) {} abstract area(): number; @noted('over') over(x: string): void {} }
    class B extends A<number> { @noted('area') override area(): number { return this.q; } @noted('v') private v?: string; }
    const b = new B(1); log(b.area(), Object.keys(b));`,
  'enums and namespaces beside': `
    enum Kind { A = 1, B } namespace N { export const dec = (label: string) => noted(label); }
    class X { @N.dec(Kind[Kind.A]) kind = Kind.B; }
    log(new X().kind);`,
  'errors of decorators': `
    const tried = (task: () => unknown) => { try { task(); log('none'); } catch (error) { log((error as Error).name, (error as Error).message); } };
    const bad: any = () => 1; const late: any = (_: any, c: any) => { keep = c; }; let keep: any;
    tried(() => { class A { @bad m() {} } });
    tried(() => { class A { @bad f = 1; } });
    tried(() => { class A { @bad accessor a = 1; } });
    tried(() => { @bad class A {} });
    tried(() => { class A { @(() => null as any) accessor a = 1; } });
    tried(() => { class A { @(((_: any, c: any) => c.addInitializer(1)) as any) m() {} } });
    tried(() => { class A { @late m() {} } keep.addInitializer(() => {}); });
    tried(() => { class A { @(() => { throw new RangeError('own'); }) m() {} } });`,
  'statements of every kind around': `
    if (true) { @noted('if') class A { static x = 1; } log(A.x); }
    switch (1 as number) { case 1: @noted('case') class B {} log(B.name); }
    const f = (C = @noted('default') class {}) => C.name; log(f());
    log(new (@noted('new') class { @noted('m') m() { return 7; } })().m());
    log([@noted('item') class {}].length, typeof @noted('operand') class {});`,
};

/** Programs that TypeScript 7.0 compiles to something else than it says, or to what does not run; with what they tell. */
export const BEYOND: Record<string, { source: string; told: string }> = {
  'names of functions in fields': {
    source: `
    const plain = (_: any, __: any) => {};
    class A { @plain f = () => 1; @plain g = function () {}; @plain h = class {}; accessor a = () => 1; @plain static s = () => 2; @plain #p = () => 3; p() { return this.#p.name; } }
    const a = new A(); log(a.f.name, a.g.name, a.h.name, a.a.name, A.s.name, a.p());`,
    told: "[ 'f', 'g', 'h', 'a', 's', '#p' ]",
  },
  'super in a private method': {
    source: `
    const twice = (f: any, _: any) => function (this: any) { return 2 * f.call(this); };
    class A { n() { return 1; } } class B extends A { @twice #p() { return super.n(); } p() { return this.#p(); } }
    log(new B().p());`,
    told: '[ 2 ]',
  },
  'arguments of the function around': {
    source: `
    const named = (label: number) => (_: any, c: any) => log(label, c.name);
    function make(..._: unknown[]) { class A { @named(arguments.length) m() {} } return new A(); } make(1, 2);`,
    told: "[ 2, 'm' ]",
  },
  'a class that its decorator seals or freezes': {
    source: `
    const plain = (_: any, __: any) => {};
    const sealed = (C: any, _: any) => { Object.seal(C); Object.seal(C.prototype); };
    const frozen = (C: any, c: any) => { c.metadata.is = 'frozen'; Object.freeze(C); };
    const other = (C: any, _: any) => Object.freeze(class extends C {});
    const of = (C: any) => C[(Symbol as any).metadata];
    @sealed class A { @plain m() { return 1; } } @frozen class B extends A {} @frozen @other class D {}
    log(Object.isSealed(A), new A().m(), Object.isFrozen(B), of(B), Object.getPrototypeOf(of(B)) === of(A), of(D));`,
    told: "[ true, 1, true, Object <[Object: null prototype] {}> { is: 'frozen' }, true, [Object: null prototype] { is: 'frozen' } ]",
  },
};
