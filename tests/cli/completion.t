# What bash offers on a line. All words come from the program itself.
$ cat >offers <<'END'
> exec bash "$TESTS/complete" "$1"
> END
> mkdir folder; touch a.yaml b.yml c.db d.png note.txt 'two words.db'

$ bash offers 'ddbsim r'
report
run

# every command of the help
$ bash offers 'ddbsim ' >offered
> ddbsim --help | sed -n '/^$/,/^$/s/^  \([a-z]*\)  .*/\1/p' | sort | diff - offered

$ bash offers 'ddbsim --'
--help
--version

$ bash offers 'ddbsim plot c.db --f'
--force
--from=

$ bash offers 'ddbsim run --s'
--seed=
--set=

# every long option of every command
$ ddbsim --help | sed -n '/^$/,/^$/s/^  \([a-z]*\)  .*/\1/p' | while read -r command; do
>     bash offers "ddbsim $command --" | tr -d = | sort >offered
>     ddbsim $command --help | grep '^  [ -]' | grep -o -- ' --[a-z-]*' | tr -d ' ' | sort -u |
>         diff - offered || echo "$command"
> done

$ bash offers 'ddbsim run --format='
json
text

$ bash offers 'ddbsim run --format=j'
json

$ bash offers 'ddbsim export --format '
csv
json

$ bash offers 'ddbsim run produ'
product-reads

$ bash offers 'ddbsim run ' >offered
> { ddbsim scenarios | sed -n 's/^[^ ]*$/&/p'; printf '%s\n' a.yaml b.yml folder; } | sort | diff - offered

# options and their values do not count as arguments
$ bash offers 'ddbsim run --seed 3 --set rate=4 --set=rate=4 --format=json -q produ'
product-reads

$ bash offers 'ddbsim run leaderboard '

$ bash offers 'ddbsim check leaderboard produ'
product-reads

$ bash offers 'ddbsim advise --vary shards=1:9 produ'; bash offers 'ddbsim compare leaderboard produ'
product-reads
product-reads

$ bash offers 'ddbsim scenarios produ'
product-reads

$ bash offers 'ddbsim run --set model.rou'
model.routers=

$ bash offers 'ddbsim run --set=model.rou'
model.routers=

$ bash offers 'ddbsim run --set model.routers='

$ bash offers 'ddbsim plot '
c.db
folder
two words.db

$ bash offers 'ddbsim plot c.db ' >offered
> ddbsim plot --help | sed -n '/^KIND/,$s/^  \([a-z]*\) .*/\1/p' | sort | diff - offered

$ bash offers 'ddbsim plot --run=1 c.db --to 5s th'
throttling

$ bash offers 'ddbsim plot c.db keys -o '
d.png
folder

$ bash offers 'ddbsim run a.yaml -o c'
c.db

$ bash offers 'ddbsim merge -o all.db two.db c'
c.db

$ bash offers 'ddbsim export c.db k'
key_minutes
keys

$ bash offers 'ddbsim export c.db keys -o n'
note.txt

$ bash offers 'ddbsim units P'
PutItem

$ bash offers 'ddbsim frobnicate '

$ bash offers 'ddbsim frobnicate --'

# the program that stands on the line is asked, also below a tilde
$ mkdir bin; ln -s "$(command -v ddbsim)" bin/ddbsim
> HOME=$PWD PATH=/usr/bin:/bin bash offers '~/bin/ddbsim ex'
export

# a program that is not there offers nothing, and says nothing
$ bash offers './nowhere r'
