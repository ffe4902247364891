"""Ordinary invented repositories.

Each has a line of name, language, stars, last push and topics, and below it a description.
"""

CATALOGUE = """
motion-kit | TypeScript | 31200 | 2026-08-14 | react animation motion
    A declarative animation library for React
spring-ui | TypeScript | 27800 | 2026-07-30 | react animation spring
    Spring-physics based animation for React components
react-page-transitions | JavaScript | 4100 | 2024-02-11 | react animation transitions
    Animated page transitions for React Router
tiny-tween | JavaScript | 960 | 2026-05-02 | animation tween canvas
    Small tweening engine without dependencies
react-lottie-player | TypeScript | 1850 | 2026-06-21 | react lottie animation
    Play Lottie animation files in React
gesture-motion | TypeScript | 640 | 2026-08-02 | react gestures animation
    Gesture driven animation hooks for React
react-scroll-reveal | JavaScript | 310 | 2021-03-09 | react animation scroll
    Reveal React elements on scroll
react-form-wizard | TypeScript | 2200 | 2026-07-11 | react forms
    Multi-step forms for React
vue-motion-presets | TypeScript | 1430 | 2026-04-18 | vue animation
    Ready-made animation presets for Vue
svelte-tweens | TypeScript | 520 | 2025-12-24 | svelte animation
    Tweened stores for Svelte
ferrous-web | Rust | 19800 | 2026-08-19 | rust web framework async
    An ergonomic async web framework for Rust
rust-http-router | Rust | 3300 | 2026-08-01 | rust http router
    Fast trie-based HTTP router for Rust web services
oxide-server | Rust | 880 | 2026-03-15 | rust web server
    A small embeddable web server written in Rust
rust-graphql-gateway | Rust | 1210 | 2025-11-06 | rust graphql gateway
    GraphQL gateway for Rust web backends
crabby-templates | Rust | 450 | 2025-06-30 | rust templates web
    Compile-time checked HTML templates
rust-web-benchmarks | Rust | 75 | 2023-01-20 | rust web benchmark
    Benchmarks of Rust web frameworks
wasm-canvas | Rust | 2650 | 2026-07-07 | rust wasm canvas
    Canvas drawing from Rust compiled to WebAssembly
gradient-lab | Python | 68400 | 2026-08-21 | python machine-learning deep-learning
    Machine learning toolkit for Python researchers
tabular-ml | Python | 7200 | 2026-08-05 | python machine-learning tabular
    Python machine learning for tabular data
PyForest | Python | 1900 | 2026-06-13 | python machine-learning random-forest
    Random forests for Python with a scikit-learn compatible API
auto-feature | Python | 840 | 2025-10-28 | python machine-learning features
    Automatic feature engineering
ml-notebooks | Jupyter Notebook | 5400 | 2024-09-17 | machine-learning notebooks tutorial
    Python machine learning notebooks for beginners
timeseries-forge | Python | 2750 | 2026-07-24 | python timeseries forecasting
    Time series forecasting with one interface
paper-embeddings | Python | 390 | 2026-02-03 | python embeddings nlp
    Sentence embeddings for scientific papers
vector-shelf | Python | 12300 | 2026-08-17 | vector-search embeddings database
    Embedded vector search database
rank-fusion | Python | 240 | 2026-05-19 | information-retrieval ranking
    Reciprocal rank fusion and friends
graphqlSchemaTools | TypeScript | 3600 | 2026-06-08 | graphql schema
    Compose and mock GraphQL schemas
query-builder | Go | 5100 | 2026-08-10 | go sql query-builder
    Type-safe SQL query builder for Go
go-rate-limiter | Go | 1500 | 2026-01-12 | go rate-limiting
    Token bucket rate limiting for Go services
gopher-queue | Go | 8900 | 2026-08-18 | go queue distributed
    Distributed task queue written in Go
kube-lens | Go | 21500 | 2026-08-20 | kubernetes dashboard
    A terminal dashboard for Kubernetes
cluster-doctor | Go | 1120 | 2025-08-29 | kubernetes diagnostics
    Diagnose broken Kubernetes clusters
lambda-starter | Python | 620 | 2026-04-04 | aws lambda serverless
    Starter for serverless Python services
state-machine-kit | TypeScript | 14600 | 2026-07-29 | state-machine workflow
    State machines for user interfaces
ledger-cli-tools | Haskell | 170 | 2022-07-18 | accounting cli haskell
    Plain-text accounting from the command line
elixir-chat | Elixir | 2050 | 2026-03-28 | elixir chat realtime
    Realtime chat server in Elixir
r-survey-stats | R | 130 | 2025-05-05 | r statistics survey
    Survey statistics in R
swift-charts-extra | Swift | 940 | 2026-06-27 | swift charts ios
    More chart types for Swift apps
kotlin-result | Kotlin | 1330 | 2026-05-23 | kotlin error-handling
    A result type for Kotlin
php-mailer-queue | PHP | 480 | 2024-12-01 | php mail queue
    Queue mails in PHP applications
ruby-feature-flags | Ruby | 2900 | 2026-02-25 | ruby feature-flags
    Feature flags for Ruby applications
zig-allocators | Zig | 210 | 2026-08-09 | zig memory
    Memory allocators for Zig
awesome-animations | Markdown | 44000 | 2026-08-12 | awesome-list animation
    A curated list of animation libraries
everything-handbook | Markdown | 200000 | 2026-08-22 | handbook learning
    Everything that a programmer should read
small-hooks | TypeScript | 3 | 2026-08-21 | react hooks
    Three small React hooks
react-anim-lite | TypeScript | 27 | 2026-08-20 | react animation
    A new and very small React animation library
"""
